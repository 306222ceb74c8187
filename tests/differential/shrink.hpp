// Makes a failing list of choices small.
#pragma once
#include <functional>
#include <vector>

#include "choices.hpp"

namespace tine::fuzz {

/// `fails` tells whether a list still fails the same way; it is asked at most `tries` times.
std::vector<uint32_t> shrink(std::vector<uint32_t> list, const std::function<bool(const std::vector<uint32_t>&)>& fails,
                             int tries);

}  // namespace tine::fuzz
