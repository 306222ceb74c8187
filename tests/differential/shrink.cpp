#include "shrink.hpp"

namespace tine::fuzz {

std::vector<uint32_t> shrink(std::vector<uint32_t> list, const std::function<bool(const std::vector<uint32_t>&)>& fails,
                             int tries) {
  const auto accept = [&](std::vector<uint32_t> next) {
    while (!next.empty() && next.back() == 0) next.pop_back();  // beyond the end all is 0
    if (next == list || tries-- <= 0 || !fails(next)) return false;
    list = std::move(next);
    return true;
  };
  for (bool better = true; better && tries > 0;) {
    better = false;
    for (std::size_t size = list.size() / 2; size > 0; size = size * 2 / 3) {  // runs of choices go
      for (std::size_t at = list.size(); at >= size && tries > 0;) {
        at -= size;
        if (at + size > list.size()) continue;
        std::vector<uint32_t> next = list;
        next.erase(next.begin() + long(at), next.begin() + long(at + size));
        better |= accept(std::move(next));
      }
    }
    for (std::size_t size : {8, 1})  // or become 0
      for (std::size_t at = 0; at < list.size() && tries > 0; at += size) {
        std::vector<uint32_t> next = list;
        for (std::size_t k = at; k < at + size && k < next.size(); ++k) next[k] = 0;
        better |= accept(std::move(next));
      }
    for (std::size_t at = 0; at < list.size() && tries > 0; ++at)  // or smaller
      while (at < list.size() && list[at] > 1) {
        std::vector<uint32_t> next = list;
        next[at] = next[at] > 16 ? next[at] / 2 : next[at] - 1;
        if (!accept(std::move(next))) break;
        better = true;
      }
  }
  return list;
}

}  // namespace tine::fuzz
