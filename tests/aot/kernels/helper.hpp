#pragma once
#include <tine/tine.hpp>

template <class X, class S> auto product(const X& x, const S& s) { return x * s; }
