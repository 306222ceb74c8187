// Runs a kernel on a variant of a case, in every placement of its memory.
#pragma once
#include <catch2/catch.hpp>

#include "case.hpp"

namespace tine::test {

/// `call(run)` calls the kernel with the run's views.
template <class F>
void check_variant(const Variant& variant, F&& call) {
  for (const Placement placement : placements) {
    Run run(variant, placement);
    INFO("variant " << variant.id << ", memory " << name(placement));
    call(run);
    CHECK(run.wrong() == "");
  }
}
template <class F>
void check_variant(const std::string& name, const std::string& id, F&& call) {
  check_variant(load_variant(name, id), call);
}

}  // namespace tine::test
