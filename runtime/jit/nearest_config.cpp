#include "runtime/jit/nearest_config.hpp"

#include <algorithm>
#include <charconv>
#include <exception>
#include <string_view>
#include <tuple>

namespace tine::jit {
namespace {

constexpr std::string_view stages_key = "stages=";

/// Where the value of the option `stages` stands in "key=value;key=value".
std::optional<std::pair<std::size_t, std::size_t>> stages_value(std::string_view options) {
  for (std::size_t at = 0; at < options.size();) {
    const std::size_t end = std::min(options.find(';', at), options.size());
    if (options.substr(at, end - at).starts_with(stages_key)) return std::pair(at + stages_key.size(), end);
    at = end + 1;
  }
  return {};
}
std::optional<int> stages_of(std::string_view options) {
  const auto value = stages_value(options);
  int stages = 0;
  if (!value || std::from_chars(options.data() + value->first, options.data() + value->second, stages).ec != std::errc()) return {};
  return stages;
}
std::string with_stages(std::string options, int64_t stages) {
  const auto value = stages_value(options);
  return options.replace(value->first, value->second - value->first, std::to_string(stages));
}

}  // namespace

std::vector<FullConfig> smaller_configs(const graph::Graph& g, const std::string& options) {
  constexpr std::size_t most = 4096;
  struct Step {
    FullConfig config;
    double ratio = 1;  // of what there is by what this has
    int changed = 0, place = 0;
  };
  std::vector<Step> all(1);
  const auto branch = [&](int64_t value, const std::vector<int64_t>& candidates, const auto& choose) {
    std::vector<Step> next;
    for (const Step& step : all) {
      next.push_back(step);
      choose(next.back().config, value);
      for (const int64_t candidate : candidates) {
        if (candidate >= value || all.size() * (candidates.size() + 1) > most) continue;
        next.push_back(step);
        choose(next.back().config, candidate);
        next.back().ratio *= static_cast<double>(value) / static_cast<double>(candidate);
        ++next.back().changed;
      }
    }
    all = std::move(next);
  };
  for (const graph::Meta& m : g.metas)
    branch(m.value, m.candidates, [&](FullConfig& c, int64_t value) { c.metas.emplace_back(m.name, value); });
  for (Step& step : all) step.config.options = options;
  if (const std::optional<int> stages = stages_of(options)) {
    std::vector<int64_t> fewer;
    for (int64_t n = *stages - 1; n > 0; --n) fewer.push_back(n);
    branch(*stages, fewer, [&](FullConfig& c, int64_t value) { c.options = with_stages(options, value); });
  }
  all.erase(all.begin());  // what there is
  for (Step& step : all) step.place = static_cast<int>(&step - all.data());
  const auto rank = [](const Step& s) { return std::tuple(s.ratio, s.changed, s.place); };
  std::sort(all.begin(), all.end(), [&](const Step& a, const Step& b) { return rank(a) < rank(b); });
  std::vector<FullConfig> configs;
  for (Step& step : all) configs.push_back(std::move(step.config));
  return configs;
}

std::optional<FullConfig> nearest_config(const graph::Graph& g, const std::string& options, const std::function<bool(const FullConfig&)>& fits) {
  std::vector<FullConfig> all = smaller_configs(g, options);
  const auto does = [&](std::size_t i) {
    try {
      return fits(all[i]);
    } catch (const std::exception&) {  // too large as well, or block sizes that do not go together
      return false;
    }
  };
  // A trial compiles, which takes some milliseconds. All near ones are tried; of the others the last of each stretch and, if it
  // fits, those before it.
  constexpr std::size_t near = 64, stretches = 32;
  std::size_t begin = std::min(near, all.size());
  for (std::size_t i = 0; i < begin; ++i)
    if (does(i)) return all[i];
  const std::size_t length = (all.size() - begin + stretches - 1) / stretches;
  for (std::size_t end; begin < all.size(); begin = end) {
    end = std::min(begin + length, all.size());
    if (!does(end - 1)) continue;
    for (std::size_t i = begin; i < end - 1; ++i)
      if (does(i)) return all[i];
    return all[end - 1];
  }
  return {};
}

std::string config_text(const FullConfig& config) {
  std::string text;
  for (const auto& [name, value] : config.metas) text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
  if (const std::optional<int> stages = stages_of(config.options)) text += (text.empty() ? "" : " ") + std::string("stages=") + std::to_string(*stages);
  return text;
}

}  // namespace tine::jit
