#include "codegen/nvptx/ptx_text.hpp"
#include <set>
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tine::nvptx {
namespace {

bool starts_word(char c) { return llvm::isAlpha(c) || c == '_' || c == '$' || c == '%' || c == '.'; }
bool in_word(char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; }

/// Words, numbers and single marks of a text; comments and white space are skipped.
class Scanner {
 public:
  explicit Scanner(llvm::StringRef text) : text_(text) {}
  size_t position() const { return at_; }
  /// Empty at the end.
  llvm::StringRef next() {
    skip();
    size_t from = at_;
    if (from == text_.size()) return {};
    char c = text_[at_++];
    if (c == '"') {
      at_ = std::min(text_.find('"', at_), text_.size() - 1) + 1;
    } else if (starts_word(c) || llvm::isDigit(c)) {
      while (at_ < text_.size() && in_word(text_[at_])) ++at_;
    }
    return text_.slice(from, at_);
  }
  /// Where the next token will begin.
  size_t ahead() { return skip(), at_; }
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

 private:
  llvm::StringRef text_;
  size_t at_ = 0;

  void skip() {
    while (at_ < text_.size()) {
      if (isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
      else if (text_.substr(at_).starts_with("//")) skip_line();
      else if (text_.substr(at_).starts_with("/*")) at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
      else break;
    }
  }
};

bool is_symbol(llvm::StringRef token) { return !token.empty() && (llvm::isAlpha(token[0]) || token[0] == '_' || token[0] == '$'); }

/// One item from the scanner's place on; false at the end of the text.
bool next_item(llvm::StringRef ptx, Scanner& scan, PtxItem& item) {
  size_t from = scan.ahead();
  llvm::StringRef token = scan.next();
  if (token.empty()) return false;
  item = {};
  if (token == ".file" || token == ".loc") {
    scan.skip_line();
  } else {
    bool function = false, braces = false, section = false;
    int depth = 0;
    for (; !token.empty(); token = scan.next()) {
      if (depth == 0) {
        item.external |= token == ".extern";
        function |= token == ".func" || token == ".entry";
        section |= token == ".section";
        if (token == ";") break;
      }
      if (token == "(" || token == "[" || token == "{") ++depth;
      if (token == "{") braces = true;
      if (token == ")" || token == "]" || token == "}") --depth;
      if (token == "}" && depth == 0 && braces && (function || section)) break;  // an initialiser's brace is followed by ;
      if (!is_symbol(token)) continue;
      item.symbols.push_back(token);
      if (item.name.empty() && depth == 0 && !section) item.name = token;  // a result's parameter stands in parentheses
    }
  }
  item.text = ptx.slice(from, scan.position());
  return true;
}

/// The text with each whole word that `rename` maps put in its place.
std::string with_names(llvm::StringRef text, const std::set<llvm::StringRef>& renamed, llvm::StringRef suffix) {
  std::string out;
  Scanner scan(text);
  size_t done = 0;
  for (llvm::StringRef token = scan.next(); !token.empty(); token = scan.next()) {
    if (!renamed.count(token)) continue;
    out += text.slice(done, scan.position());
    out += suffix;
    done = scan.position();
  }
  return out + text.substr(done).str();
}

/// The number after `.version`, and where it stands.
std::pair<size_t, llvm::StringRef> version(llvm::StringRef ptx) {
  size_t at = ptx.find(".version");
  if (at == llvm::StringRef::npos) return {0, {}};
  at = ptx.find_first_of("0123456789", at);
  return {at, ptx.substr(at).take_while([](char c) { return llvm::isDigit(c) || c == '.'; })};
}
int ordinal(llvm::StringRef v) {
  auto [major, minor] = v.split('.');
  int a = 0, b = 0;
  major.getAsInteger(10, a);
  minor.getAsInteger(10, b);
  return 100 * a + b;
}

}  // namespace

std::vector<PtxItem> ptx_items(llvm::StringRef ptx) {
  std::vector<PtxItem> items;
  Scanner scan(ptx);
  for (;;) {
    size_t at = scan.ahead();
    llvm::StringRef rest = ptx.substr(at);
    if (rest.starts_with(".version") || rest.starts_with(".target") || rest.starts_with(".address_size")) {
      scan.skip_line();
      continue;
    }
    PtxItem item;
    if (!next_item(ptx, scan, item)) return items;
    items.push_back(std::move(item));
  }
}

void link_ptx(std::string& kernel, llvm::StringRef library) {
  std::vector<PtxItem> own = ptx_items(kernel), theirs = ptx_items(library);
  auto definition = [&](llvm::StringRef name) { return llvm::find_if(theirs, [&](const PtxItem& i) { return i.name == name && !i.external; }); };

  std::vector<llvm::StringRef> pending;
  std::vector<const PtxItem*> dropped;
  for (const PtxItem& item : own)
    if (item.external && definition(item.name) != theirs.end()) {
      dropped.push_back(&item);
      pending.push_back(item.name);
    }
  std::set<llvm::StringRef> wanted(pending.begin(), pending.end()), reached, clash;
  while (!pending.empty()) {
    llvm::StringRef name = pending.back();
    pending.pop_back();
    if (!reached.insert(name).second) continue;
    for (const PtxItem& item : theirs)
      if (item.name == name) pending.insert(pending.end(), item.symbols.begin(), item.symbols.end());
  }
  for (const PtxItem& item : own)
    if (!wanted.count(item.name)) clash.insert(item.name);

  std::set<llvm::StringRef> renamed;
  std::string text;
  for (const PtxItem& item : theirs)
    if (!item.name.empty() && !item.external && reached.count(item.name) && clash.count(item.name)) renamed.insert(item.name);
  std::string suffix;
  for (int k = 1; suffix.empty() || llvm::any_of(own, [&](const PtxItem& i) { return i.name.ends_with(suffix); }); ++k) suffix = "_m" + std::to_string(k);
  for (const PtxItem& item : theirs) {
    if (item.name.empty() || !reached.count(item.name)) continue;
    if (item.external && clash.count(item.name)) continue;  // declared in the kernel already
    text += with_names(item.text, renamed, suffix) + "\n";
  }

  std::string merged;
  size_t done = 0;
  for (const PtxItem* item : dropped) {
    size_t from = size_t(item->text.data() - kernel.data());
    merged.append(kernel, done, from - done);
    done = from + item->text.size();
  }
  merged.append(kernel, done);
  size_t header = merged.find(".address_size");
  header = header == std::string::npos ? 0 : std::min(merged.find('\n', header), merged.size() - 1) + 1;
  merged.insert(header, "\n" + text);
  auto [at, ours] = version(merged);
  llvm::StringRef newer = version(library).second;
  if (ordinal(newer) > ordinal(ours)) merged.replace(at, ours.size(), newer.str());
  kernel = std::move(merged);
}

}  // namespace tine::nvptx
