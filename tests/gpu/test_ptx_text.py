#!/usr/bin/env python3
"""The reading of PTX that tools/bench does: loops from the flow of control, not from the order of the text."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/bench/driver"))
import ptx  # noqa: E402

# The loop is L2, L3 and L1, which stands before its header; L4 is a loop without products; L5 is behind.
TEXT = """.version 8.0
.visible .entry k(
  .param .u64 p
)
{
  .reg .b32 %r<9>;
  mov.u32 %r1, 0;
  cp.async.commit_group;
  bra.uni L2;
L1:
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1}, {%r2}, {%r3}, {%r4};
  @%p1 bra L2;
  bra.uni L4;
L2: // header
  cp.async.wait_group 1;
  setp.ge.s32 %p2, %r1, %r2;
  @%p2 bra L1;
  bra.uni L3;
L4:
  add.s32 %r1, %r1, 1;
  add.s32 %r1, %r1, 1;
  add.s32 %r1, %r1, 1;
  add.rn.f32 %r1, %r1, 1;
  @%p3 bra L4;
  bra.uni L5;
L3:
  @%p4 cp.async.cg.shared.global [%r1], [%r2], 16;
  bra.uni L1;
L5:
  ret;
}
"""


class Loops(unittest.TestCase):
    def lines(self, *words):
        return {n for n, text in enumerate(TEXT.split("\n"), 1) if any(text.strip().startswith(w) for w in words)}

    def test_main_loop_follows_branches(self):
        loop = ptx.main_loop(TEXT)
        self.assertEqual(
            loop & self.lines("mma", "cp.async.wait", "@%p4 cp.async"),
            self.lines("mma", "cp.async.wait", "@%p4 cp.async"),
        )
        self.assertFalse(loop & self.lines("add", "ret", "mov", "cp.async.commit"))

    def test_classes(self):
        self.assertEqual(ptx.by_class(TEXT, ptx.main_loop(TEXT)), {"mma": 1, "cp.async": 2, "compare": 1, "control": 4})
        for opcode, name in [
            ("ld.shared.v4.b32", "shared"),
            ("st.global.b16", "global"),
            ("fma.rn.f32", "float"),
            ("mad.lo.s32", "integer"),
            ("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "ldmatrix"),
            ("cvt.rn.f16.f32", "convert"),
            ("shfl.sync.bfly.b32", "shuffle"),
            ("bar.sync", "barrier"),
            ("max.f32", "float"),
            ("shl.b32", "integer"),
            ("selp.b32", "compare"),
        ]:
            self.assertEqual(ptx.class_of(opcode), name, opcode)

    def test_groups_in_flight(self):
        self.assertEqual(ptx.groups_in_flight(TEXT, ptx.main_loop(TEXT)), 2)

    def test_no_loop(self):
        self.assertIsNone(ptx.main_loop(".visible .entry k() {\n  ret;\n}\n"))
        self.assertIsNone(ptx.main_loop(""))


if __name__ == "__main__":
    unittest.main()
