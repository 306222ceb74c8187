// What `dot` returns for elements of type T, and so the type of a sum of products.
#pragma once
#include <tine/tine.hpp>
#include <type_traits>

template <class T>
using Accumulator =
    std::conditional_t<std::is_integral_v<T>, tine::i32, std::conditional_t<std::is_same_v<T, double>, double, float>>;
