// A test that cannot fail shows nothing: each fault planted in the machine is caught by some fixture or a small kernel.
#include <map>
#include <set>

#include "fixtures.hpp"
#include "support.hpp"

namespace {
const std::map<emu::Fault, std::string> kCaughtBy = {
    {emu::Fault::mma_swapped_rows, "mma/mma_f16"}, {emu::Fault::mma_signed_as_unsigned, "mma/mma_s8"}, {emu::Fault::mma_wrong_column, "mma/mma_tf32"}, {emu::Fault::ldmatrix_ignores_trans, "mma/gemm_f16"},
    {emu::Fault::ldmatrix_row_order, "mma/mma_f16"}, {emu::Fault::cp_async_no_zero_fill, "async/zero_fill"}, {emu::Fault::unfused_fma, "math/rounding"}, {emu::Fault::cvt_x2_swapped, "half/bf162_pack"},
    {emu::Fault::min_max_propagate_nan, "math/rounding"}, {emu::Fault::ftz_ignored, "math/flushes"}, {emu::Fault::half_rounded_twice, "half/half_ops"}, {emu::Fault::round_mode_ignored, "math/rounding"},
    {emu::Fault::mul_wide_unsigned, "ints/int_ops"}, {emu::Fault::bfe_zero_extends, "ints/int_ops"}, {emu::Fault::prmt_no_sign, "ints/prmt_modes"}, {emu::Fault::lop3_transposed, "ints/int_ops"},
    {emu::Fault::shfl_ignores_segment, "warp/shuffles"}, {emu::Fault::atom_returns_new, "atomics/old_values"}, {emu::Fault::barrier_does_not_wait, "reduce/sum_shared"}, {emu::Fault::dp4a_first_byte_twice, "ints/int_ops"},
};
}  // namespace

TEST_CASE("every planted fault is caught", "[emulated][faults]") {
  std::set<emu::Fault> caught;
  for (const auto& [fault, name] : kCaughtBy)
    for (const Fixture& f : all_fixtures()) {
      if (f.name != name) continue;
      const std::string ptx = read_text(fixture_path(f.module + ".sm_80.ptx"));
      emu::Options o;
      o.threads = 1;
      INFO(emu::name_of(fault) << " in " << f.name);
      CHECK(f.check(ptx, o).empty());
      o.fault = fault;
      const bool found = !f.check(ptx, o).empty();
      CHECK(found);
      if (found) caught.insert(fault);
    }
  // Two need a kernel that is wrong by itself, or a vote of some lanes.
  {
    const std::string ptx = ptx_module(".shared .align 16 .b8 s[128];\n.visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, s;\ncp.async.ca.shared.global [%r1], [%rd1], 4;\ncp.async.commit_group;\nld.shared.u32 %r2, [%r1];\nst.global.u32 [%rd1+4], %r2;\nret;\n}\n");
    auto finds = [&](emu::Fault fault) {
      emu::Options o;
      o.fault = fault;
      Session s(ptx, "test", o);
      return s.run("k", {1, 1, 1}, {1, 1, 1}, 0, s.upload(std::vector<int>{5, 6})).has(emu::DiagnosticClass::async_pending);
    };
    CHECK(finds(emu::Fault::none));
    CHECK(!finds(emu::Fault::early_cp_async));
    if (!finds(emu::Fault::early_cp_async)) caught.insert(emu::Fault::early_cp_async);
  }
  {
    const std::string ptx = ptx_module(".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [p];\nmov.u32 %r0, %tid.x;\nsetp.lt.u32 %p1, %r0, 8;\nsetp.lt.u32 %p2, %r0, 32;\n@%p1 vote.sync.ballot.b32 %r1, %p2, 0xff;\n@%p1 st.global.u32 [%rd1], %r1;\nret;\n}\n");
    auto ballot = [&](emu::Fault fault) {
      emu::Options o;
      o.fault = fault;
      Session s(ptx, "test", o);
      const auto p = s.fresh<std::uint32_t>(1);
      s.run("k", {1, 1, 1}, {32, 1, 1}, 0, p);
      return s.download<std::uint32_t>(p, 1)[0];
    };
    CHECK(ballot(emu::Fault::none) == 0xFF);
    CHECK(ballot(emu::Fault::ballot_ignores_mask) != 0xFF);
    caught.insert(emu::Fault::ballot_ignores_mask);
  }
  CHECK(caught.size() == emu::kFaults - 1);
}
