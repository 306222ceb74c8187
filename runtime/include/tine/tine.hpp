// All of Tine: the language of kernels, views, and `make`.
#pragma once
#include "tine/dsl.hpp"
#include "tine/make.hpp"
#include "tine/narrow.hpp"
#include "tine/view.hpp"
