#include "tools/tinec/neutral_ops.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "dsl/core/arrange_eval.hpp"
#include "tools/tinec/arrangement_json.hpp"
#include "tools/tinec/failure.hpp"
#include "tools/tinec/text.hpp"

namespace tinec {
namespace {

using nlohmann::json;
using tine::core::ArrangeOp;
using tine::core::SliceItem;
using tine::core::Step;

// Beyond these, products of sizes could leave 64 bits; no arrangement that can be listed needs more.
constexpr int64_t max_number = max_listed;
constexpr std::size_t max_items = 32;

std::string text_of(const json& j) {
  if (j.is_structured() && !j.empty()) return j.is_array() ? "[...]" : "{...}";
  return j.dump(-1, ' ', false, json::error_handler_t::replace).substr(0, 60);
}

int64_t integer(const json& j, const std::string& what) {
  if (!j.is_number_integer()) throw Failure(what + " must be an integer, not " + ticked(text_of(j)));
  const bool huge = j.is_number_unsigned() && j.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX);
  const int64_t v = huge ? INT64_MAX : j.get<int64_t>();
  if (v > max_number || v < -max_number)
    throw Failure(what + " is " + text_of(j) + ", beyond the " + std::to_string(max_number) +
                  " that can be evaluated here");
  return v;
}
const json& list(const json& j, const std::string& what) {
  if (!j.is_array()) throw Failure(what + " must be a list, not " + ticked(text_of(j)));
  if (j.size() > max_items) throw Failure(what + " has more than " + std::to_string(max_items) + " items");
  return j;
}
std::vector<int64_t> integers(const json& j, const std::string& what) {
  std::vector<int64_t> out;
  for (const json& i : list(j, what)) out.push_back(integer(i, "an item of " + what));
  return out;
}

/// The keys of one operation.
class Keys {
 public:
  explicit Keys(const json& j) : j_(j) {
    if (!j.is_object()) throw Failure("an operation must be an object, not " + ticked(text_of(j)));
    const auto op = j.find("op");
    if (op == j.end() || !op->is_string()) throw Failure("an operation must have its name as the string `op`");
    name = op->get<std::string>();
  }
  /// Refuses keys that the operation does not have: a misspelt one would be ignored.
  void only(std::vector<std::string> keys) const {
    keys.insert(keys.end(), {"op", "level"});
    for (const auto& item : j_.items())
      if (std::find(keys.begin(), keys.end(), item.key()) == keys.end() && item.key() != "note" &&
          item.key() != "comment")
        throw Failure(ticked(name) + " has no key " + ticked(item.key()) + "; it has " +
                      list_of(nearest_first(item.key(), keys)));
  }
  const json* find(const char* key) const {
    const auto at = j_.find(key);
    return at == j_.end() || at->is_null() ? nullptr : &*at;
  }
  const json& at(const char* key) const {
    if (const json* j = find(key)) return *j;
    throw Failure(ticked(name) + " needs the key " + ticked(key));
  }
  std::string what(const char* key) const { return ticked(key) + " of " + ticked(name); }
  std::optional<int> small(const char* key) const {
    const json* j = find(key);
    if (!j) return {};
    return static_cast<int>(integer(*j, what(key)));
  }
  /// One number or several.
  std::vector<int> dims(const char* key) const {
    std::vector<int> out;
    if (!at(key).is_array()) return {static_cast<int>(integer(at(key), what(key)))};
    for (const int64_t d : numbers(key)) out.push_back(static_cast<int>(d));
    return out;
  }
  std::vector<int64_t> numbers(const char* key) const { return integers(at(key), what(key)); }
  std::vector<int64_t> numbers_if_any(const char* key) const {
    return find(key) ? numbers(key) : std::vector<int64_t>{};
  }
  bool flag(const char* key) const {
    const json* j = find(key);
    if (j && !j->is_boolean()) throw Failure(what(key) + " must be true or false, not " + ticked(text_of(*j)));
    return j && j->get<bool>();
  }

  std::string name;

 private:
  const json& j_;
};

ArrangeOp::Item slice_item(const json& j) {
  ArrangeOp::Item item;
  const auto bad = [&] {
    return Failure("an item of `index` is " + ticked(text_of(j)) +
                   "; there are `{\"int\": i}`, `{\"slice\": [start, stop, step]}`, `\"newaxis\"` and `\"ellipsis\"`");
  };
  if (j == "newaxis") return item.kind = SliceItem::newaxis, item;
  if (j == "ellipsis") return item.kind = SliceItem::ellipsis, item;
  if (!j.is_object() || j.size() != 1) throw bad();
  if (const auto i = j.find("int"); i != j.end()) {
    item.kind = SliceItem::integer;
    item.start = integer(*i, "an index");
    return item;
  }
  const auto s = j.find("slice");
  if (s == j.end() || !s->is_array() || s->size() > 3) throw bad();
  // Python's ends may be far beyond any dim, as with sys.maxsize; they are cut there anyway.
  const auto bound = [&](std::size_t k) -> std::optional<int64_t> {
    if (s->size() <= k || (*s)[k].is_null()) return {};
    const json& b = (*s)[k];
    if (!b.is_number_integer()) throw bad();
    if (b.is_number_unsigned() && b.get<uint64_t>() > static_cast<uint64_t>(2 * max_number)) return 2 * max_number;
    return std::clamp(b.get<int64_t>(), -2 * max_number, 2 * max_number);
  };
  item.start = bound(0);
  item.stop = bound(1);
  item.step = bound(2).value_or(1);
  return item;
}

void read_tile(const Keys& keys, ArrangeOp& op) {
  keys.only({"tile_shape", "strides", "dilation", "floor_mode"});
  op.sizes = keys.numbers("tile_shape");
  op.strides = keys.numbers_if_any("strides");
  op.dilation = keys.numbers_if_any("dilation");
  for (const int64_t d : op.dilation)
    if (d <= 0) throw Failure("an item of `dilation` of `tile` is " + std::to_string(d) + ", not positive");
  op.floor = keys.flag("floor_mode");
}
void read_expand(const Keys& keys, ArrangeOp& op) {
  keys.only({"shape"});
  op.sizes = keys.numbers("shape");
}
void read_dim(const Keys& keys, ArrangeOp& op) {
  keys.only({"dim"});
  op.dims = keys.dims("dim");
}
void read_unsqueeze(const Keys& keys, ArrangeOp& op) {
  keys.only({"dim"});
  op.dims = {static_cast<int>(integer(keys.at("dim"), keys.what("dim")))};
}
void read_permute(const Keys& keys, ArrangeOp& op) {
  keys.only({"dims"});
  op.dims = keys.dims("dims");
}
void read_flatten(const Keys& keys, ArrangeOp& op) {
  keys.only({"start_dim", "end_dim"});
  op.start = keys.small("start_dim");
  op.end = keys.small("end_dim");
}
void read_ravel(const Keys& keys, ArrangeOp&) { keys.only({}); }
void read_pad(const Keys& keys, ArrangeOp& op) {
  keys.only({"pad"});
  for (const json& p : list(keys.at("pad"), keys.what("pad"))) {
    if (!p.is_array() || p.size() != 2)
      throw Failure("an item of " + keys.what("pad") + " must be a pair, not " + ticked(text_of(p)));
    op.pad.emplace_back(integer(p[0], "an amount of `pad`"), integer(p[1], "an amount of `pad`"));
  }
}
void read_getitem(const Keys& keys, ArrangeOp& op) {
  keys.only({"index"});
  for (const json& i : list(keys.at("index"), keys.what("index"))) op.items.push_back(slice_item(i));
}

struct Reader {
  const char* name;
  Step::Kind kind;
  void (*read)(const Keys&, ArrangeOp&);
};
constexpr Reader readers[] = {{"tile", Step::tile, read_tile},          {"expand", Step::expand, read_expand},
                              {"squeeze", Step::squeeze, read_dim},     {"unsqueeze", Step::unsqueeze, read_unsqueeze},
                              {"permute", Step::permute, read_permute}, {"flatten", Step::flatten, read_flatten},
                              {"ravel", Step::ravel, read_ravel},       {"pad", Step::pad, read_pad},
                              {"getitem", Step::slice, read_getitem}};

ArrangeOp read_op(const json& j) {
  const Keys keys(j);
  std::vector<std::string> known;
  for (const Reader& r : readers) {
    known.push_back(r.name);
    if (keys.name != r.name) continue;
    ArrangeOp op;
    op.kind = r.kind;
    op.level = keys.small("level").value_or(0);
    r.read(keys, op);
    return op;
  }
  throw Failure("operation " + ticked(keys.name.substr(0, 60)) + " does not exist; there are " +
                list_of(nearest_first(keys.name, known)));
}

// Whether sizes are still small enough to be multiplied by the next operation.
void check_sizes(const std::vector<int64_t>& source_shape, const std::vector<ArrangeOp>& ops) {
  tine::graph::Pool pool;
  tine::core::Arena arena(pool);
  const tine::core::ArrangedTensor t = tine::core::build(arena, source_shape, ops);
  if (t.levels().size.size() > max_items)
    throw Failure("the levels have more than " + std::to_string(max_items) + " dims together");
  int64_t product = 1;
  for (const tine::graph::Ex e : t.levels().size) {
    const int64_t n = pool.value(e);
    if (n > max_number || __builtin_mul_overflow(product, std::max<int64_t>(n, 1), &product))
      throw Failure("the levels have more elements than can be evaluated here; the shape is " + t.shape_text());
  }
}

std::string evaluate(const json& arrangement) {
  const auto shape = arrangement.find("source_shape"), list_of_ops = arrangement.find("ops");
  if (shape == arrangement.end()) throw Failure("the key `source_shape` is missing");
  if (list_of_ops == arrangement.end()) throw Failure("the key `ops` is missing");
  const std::vector<int64_t> source = integers(*shape, "`source_shape`");
  std::vector<ArrangeOp> ops;
  check_sizes(source, ops);
  for (const json& j : list(*list_of_ops, "`ops`")) {
    ops.push_back(read_op(j));
    check_sizes(source, ops);
  }
  tine::graph::Pool pool;
  tine::core::Arena arena(pool);
  const tine::core::Levels levels = tine::core::build(arena, source, ops).levels();
  std::vector<int64_t> sizes;
  for (const tine::graph::Ex e : levels.size) sizes.push_back(pool.value(e));
  check_listable({sizes});
  return arrangement_json(tine::core::evaluate(source, ops));
}

std::string dump(const json& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

}  // namespace

std::string evaluate_ops(const std::string& json_text) {
  json file;
  try {
    file = json::parse(json_text);
  } catch (const json::exception& e) {
    std::string why = e.what();
    if (const std::size_t end = why.find("] "); end != why.npos) why = why.substr(end + 2);
    throw Failure("is not JSON: " + printable(why));
  }
  const auto arrangements = file.is_object() ? file.find("arrangements") : file.end();
  if (!file.is_object() || arrangements == file.end() || !arrangements->is_array())
    throw Failure(
        "is not of the form `{\"arrangements\": [{\"name\": ..., \"source_shape\": [...], \"ops\": [...]}]}`");
  std::string out = "{\"arrangements\": [";
  bool first = true;
  for (const json& arrangement : *arrangements) {
    out += first ? "\n  {" : ",\n  {";
    first = false;
    try {
      if (!arrangement.is_object())
        throw Failure("an arrangement must be an object, not " + ticked(text_of(arrangement)));
      if (const auto name = arrangement.find("name"); name != arrangement.end() && !name->is_structured())
        out += "\"name\": " + dump(*name) + ", ";
      out += evaluate(arrangement);
    } catch (const Failure& e) {
      out += "\"error\": " + dump(e.what());
    } catch (const tine::Error& e) {
      out += "\"error\": " + dump(e.message());
    }
    out += "}";
  }
  return out + (first ? "]}\n" : "\n]}\n");
}

}  // namespace tinec
