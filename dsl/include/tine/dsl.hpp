// The language: everything that a kernel header needs. The run time's <tine/tine.hpp> adds views and `make`.
#pragma once
// In the order of their dependence, so that the compiler's "included from" lists are short.
// clang-format off
#include "tine/loc.hpp"
#include "tine/error.hpp"
#include "tine/dtype.hpp"
#include "tine/size.hpp"
#include "tine/detail/api.hpp"
#include "tine/tensor.hpp"
#include "tine/detail/types.hpp"
#include "tine/tile.hpp"
#include "tine/functions.hpp"
#include "tine/cuda.hpp"
#include "tine/control.hpp"
#include "tine/detail/members.hpp"
#include "tine/define.hpp"
#include "tine/export.hpp"
// clang-format on
