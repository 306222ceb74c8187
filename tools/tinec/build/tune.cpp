#include "tools/tinec/build/tune.hpp"

#include "tools/tinec/failure.hpp"

namespace tinec::builder {

std::string tune(const Request&, Tracer&, const std::string&) { throw Failure("TODO"); }

}  // namespace tinec::builder
