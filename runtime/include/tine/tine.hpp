// All of Tine: the language of kernels, views, `make`, and devices.
#pragma once
#include "tine/device.hpp"
#include "tine/dsl.hpp"
#include "tine/make.hpp"
#include "tine/narrow.hpp"
#include "tine/view.hpp"
