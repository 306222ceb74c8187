// Everything of the PTX machine in one include.
#pragma once
#include "tine/emulator/diagnostics.hpp"
#include "tine/emulator/error.hpp"
#include "tine/emulator/faults.hpp"
#include "tine/emulator/isa.hpp"
#include "tine/emulator/machine.hpp"
#include "tine/emulator/memory.hpp"
#include "tine/emulator/options.hpp"
#include "tine/emulator/report.hpp"
