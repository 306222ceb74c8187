#include "examples/tour/main_loop.hpp"

#include <cctype>
#include <map>
#include <sstream>
#include <vector>

namespace tour {
namespace {

std::string label_of(const std::string& line) {
  const std::size_t colon = line.find(':');
  if (line.empty() || line[0] != '.' || colon == std::string::npos) return "";
  return line.substr(0, colon);
}

// The label that a jump goes to.
std::string target_of(const std::string& line) {
  std::istringstream words(line);
  std::string name, target;
  words >> name >> target;
  return !name.empty() && name[0] == 'j' && !target.empty() && target[0] == '.' ? target : "";
}

int width(const std::string& line) {
  return line.find("zmm") != std::string::npos   ? 3
         : line.find("ymm") != std::string::npos ? 2
         : line.find("xmm") != std::string::npos ? 1
                                                 : 0;
}

bool starts_with_word(const std::string& line, const std::string& instruction) {
  const std::size_t at = line.find_first_not_of(" \t");
  return at != std::string::npos && line.compare(at, instruction.size(), instruction) == 0;
}

std::string cut(const std::vector<std::string>& lines, std::size_t first, std::size_t last) {
  std::string text;
  for (std::size_t i = first; i <= last; ++i) {
    std::string line = lines[i].substr(0, lines[i].find('#'));
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
    const bool directive = line.size() > 2 && line[0] == '\t' && line[1] == '.';
    if (!line.empty() && !directive) text += line + "\n";
  }
  return text;
}

}  // namespace

std::string main_loop(const std::string& assembly, const std::string& instruction) {
  std::vector<std::string> lines;
  std::istringstream text(assembly);
  for (std::string line; std::getline(text, line);) lines.push_back(line);

  std::map<std::string, std::size_t> labels;  // seen so far: a jump to one of them goes back
  std::string best;
  int best_score = 0;
  std::size_t inner = 0;  // end of the last loop: a loop that begins before it is not innermost
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (const std::string label = label_of(lines[i]); !label.empty()) labels[label] = i;
    const auto target = labels.find(target_of(lines[i]));
    if (target == labels.end()) continue;
    if (target->second < inner) continue;
    inner = i;
    int score = 0;
    for (std::size_t j = target->second; j <= i; ++j)
      if (starts_with_word(lines[j], instruction)) score += 1 + 1000 * width(lines[j]);
    if (score > best_score) best_score = score, best = cut(lines, target->second, i);
  }
  return best;
}

std::string wide_lines(const std::string& ptx) {
  std::string kept;
  std::istringstream text(ptx);
  for (std::string line; std::getline(text, line);)
    if (line.find(".v4.b32") != std::string::npos || starts_with_word(line, "add.f32") || starts_with_word(line, "add.rn.f32")) kept += line + "\n";
  return kept;
}

}  // namespace tour
