// Compiles, and exports nothing.
#pragma once
#include <tine/tine.hpp>
