// The language: everything that a kernel header needs. The run time's <tine/tine.hpp> adds views and `make`.
#pragma once
#include "tine/control.hpp"
#include "tine/define.hpp"
#include "tine/dtype.hpp"
#include "tine/error.hpp"
#include "tine/export.hpp"
#include "tine/functions.hpp"
#include "tine/size.hpp"
#include "tine/tensor.hpp"
#include "tine/tile.hpp"
