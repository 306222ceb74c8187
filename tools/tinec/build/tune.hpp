// Measuring configs on this machine.
#pragma once
#include <string>

#include "tools/tinec/build/request.hpp"
#include "tools/tinec/build/tracer.hpp"

namespace tinec::builder {

/// Measures every config of every kernel of the request that names shapes to tune for, and writes the fastest into a
/// tuning file, beside what `request.tuning` holds of others. Returns the file's name.
std::string tune(const Request&, Tracer&, const std::string& file);

}  // namespace tinec::builder
