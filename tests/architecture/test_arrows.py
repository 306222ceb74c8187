#!/usr/bin/env python3
"""Breaks each arrow in a small house of its own and looks whether arrows.py sees it."""
import os
import tempfile
import unittest

import arrows

# A house in order: each part includes and links what it may.
HOUSE = {
    "dsl/include/tine/dtype.hpp": "#include <cstdint>\n",
    "dsl/include/tine/detail/op.hpp": '#include "tine/dtype.hpp"\n',
    "dsl/include/tine/tile.hpp": '#include <tuple>\n#include "tine/detail/op.hpp"\n',
    "dsl/graph/graph.hpp": '#include <vector>\n#include "dsl/include/tine/detail/op.hpp"\n',
    "dsl/graph/graph.cpp": '#include "dsl/graph/graph.hpp"\n',
    "dsl/core/tracer.cpp": '#include "dsl/graph/graph.hpp"\n#include "dsl/include/tine/tile.hpp"\n',
    "dsl/CMakeLists.txt": "add_library(tine_graph STATIC graph/graph.cpp)\nadd_library(tine_headers INTERFACE)\n"
                          "add_library(tine_dsl STATIC core/tracer.cpp)\ntarget_link_libraries(tine_dsl PUBLIC tine_graph tine_headers)\n",
    "compiler/import.cpp": '#include "dsl/graph/graph.hpp"\n#include "mlir/IR/Builders.h"\n#include "TineOps.h.inc"\n',
    "compiler/CMakeLists.txt": "add_library(tine_import import.cpp)\ntarget_link_libraries(tine_import PUBLIC tine_graph)\ntine_use_mlir(tine_import)\n",
    "codegen/abi/compiler_abi.h": "#include <stdint.h>\n",
    "codegen/cpu/lower.cpp": '#include "compiler/import.hpp"\n#include "llvm/IR/Module.h"\n#include <elf.h>\n#include "codegen/abi/compiler_abi.h"\n',
    "codegen/CMakeLists.txt": "add_library(tine_cpu cpu/lower.cpp)\ntarget_link_libraries(tine_cpu PUBLIC tine_import PRIVATE lldELF)\ntine_use_mlir(tine_cpu)\n",
    "runtime/include/tine/view.hpp": '#include <span>\n#include "tine/dtype.hpp"\n',
    "runtime/launch/call.cpp": '#include <unistd.h>\n#include "tine/view.hpp"\n#include "dsl/graph/graph.hpp"\n#include "codegen/abi/compiler_abi.h"\n',
    "runtime/cuda/driver.cpp": "#include <dlfcn.h>\n",
    "runtime/device/devices.cpp": '#include "runtime/launch/call.hpp"\n#include "tine/emulator/machine.hpp"\n',
    "runtime/jit/compile.cpp": '#include <dlfcn.h>\n#include "codegen/abi/compiler_abi.h"\n#include "runtime/launch/call.hpp"\n',
    "runtime/aot/call.cpp": '#include "runtime/launch/call.hpp"\n#include "dsl/graph/graph.hpp"\n',
    "runtime/reference/evaluate.cpp": '#include "dsl/graph/graph.hpp"\n',
    "runtime/emulator/src/machine.cpp": '#include "tine/emulator/machine.hpp"\n',
    "runtime/emulator/include/tine/emulator/machine.hpp": "#include <vector>\n",
    "runtime/CMakeLists.txt": "add_library(tine_launch launch/call.cpp)\ntarget_link_libraries(tine_launch PUBLIC tine_dsl)\n"
                              "add_library(tine_jit jit/compile.cpp)\ntarget_link_libraries(tine_jit PUBLIC tine_launch ${CMAKE_DL_LIBS})\n",
    "runtime/emulator/CMakeLists.txt": "add_library(tine_emulator src/machine.cpp)\n",
    "tools/tool.cpp": '#include "runtime/jit/compile.hpp"\n#include "compiler/import.hpp"\n',
}
# Headers that exist so that includes of them resolve.
for stub in ("compiler/import.hpp", "codegen/cpu/lower.hpp", "runtime/launch/call.hpp", "runtime/device/devices.hpp", "runtime/jit/compile.hpp",
             "dsl/core/tracer.hpp"):
    HOUSE[stub] = ""

# (file, line to add, what the complaint says)
BROKEN = [
    ("dsl/graph/graph.cpp", '#include "dsl/core/tracer.hpp"', "the graph includes dsl/core/tracer.hpp of the front end"),
    ("dsl/graph/graph.cpp", '#include "dsl/include/tine/tile.hpp"', "of the user headers"),
    ("dsl/graph/graph.cpp", "#include <sys/mman.h>", "a header of system"),
    ("dsl/core/tracer.cpp", '#include "compiler/import.hpp"', "of the compiler"),
    ("dsl/core/tracer.cpp", '#include "runtime/launch/call.hpp"', "of the launch half"),
    ("dsl/core/tracer.cpp", '#include "llvm/ADT/SmallVector.h"', "a header of llvm"),
    ("dsl/include/tine/tile.hpp", '#include "dsl/graph/graph.hpp"', "of the graph"),
    ("dsl/include/tine/tile.hpp", "#include <nlohmann/json.hpp>", "a header of system"),
    ("dsl/include/tine/tile.hpp", "#include <unistd.h>", "a header of system"),
    ("dsl/include/tine/dtype.hpp", '#include "tine/tile.hpp"', "of the user headers"),
    ("runtime/include/tine/view.hpp", '#include "runtime/launch/call.hpp"', "of the launch half"),
    ("compiler/import.cpp", '#include "codegen/cpu/lower.hpp"', "of the codegen"),
    ("compiler/import.cpp", '#include "dsl/core/tracer.hpp"', "of the front end"),
    ("codegen/cpu/lower.cpp", '#include "runtime/launch/call.hpp"', "of the launch half"),
    ("codegen/abi/compiler_abi.h", '#include "dsl/graph/graph.hpp"', "of the graph"),
    ("runtime/launch/call.cpp", '#include "runtime/jit/compile.hpp"', "of the JIT half"),
    ("runtime/launch/call.cpp", '#include "codegen/cpu/lower.hpp"', "of the codegen"),
    ("runtime/launch/call.cpp", '#  include "mlir/IR/Builders.h"', "a header of llvm"),
    ("runtime/jit/compile.cpp", '#include "compiler/import.hpp"', "of the compiler"),
    ("runtime/jit/compile.cpp", '#include "TineOps.h.inc"', "of the compiler"),
    ("runtime/aot/call.cpp", '#include "runtime/jit/compile.hpp"', "of the JIT half"),
    ("runtime/aot/call.cpp", '#include "dsl/core/tracer.hpp"', "of the front end"),
    ("runtime/reference/evaluate.cpp", '#include "runtime/launch/call.hpp"', "of the launch half"),
    ("runtime/launch/call.cpp", '#include "runtime/device/devices.hpp"', "of the devices"),
    ("runtime/launch/call.cpp", '#include "tine/emulator/machine.hpp"', "of the emulator"),
    ("runtime/cuda/driver.cpp", '#include "runtime/launch/call.hpp"', "of the launch half"),
    ("runtime/device/devices.cpp", '#include "runtime/jit/compile.hpp"', "of the JIT half"),
    ("runtime/emulator/src/machine.cpp", '#include "dsl/graph/graph.hpp"', "of the graph"),
    ("runtime/emulator/src/machine.cpp", '#include "tine/dtype.hpp"', "of the light headers"),
    ("dsl/CMakeLists.txt", "target_link_libraries(tine_dsl PRIVATE tine_launch)", "of the launch half"),
    ("compiler/CMakeLists.txt", "target_link_libraries(tine_import PUBLIC tine_graph\n  tine_cpu)", "of the codegen"),
    ("codegen/CMakeLists.txt", "target_link_libraries(tine_cpu PRIVATE tine_jit)", "of the JIT half"),
    ("runtime/CMakeLists.txt", "target_link_libraries(tine_launch PRIVATE tine_jit)", "of the JIT half"),
    ("runtime/CMakeLists.txt", "target_link_libraries(tine_launch PRIVATE LLVM)", "a library of llvm"),
    ("runtime/CMakeLists.txt", "target_link_libraries(tine_jit PRIVATE $<TARGET_FILE:tine_cpu>)", "of the codegen"),
    ("runtime/CMakeLists.txt", "tine_use_mlir(tine_jit)", "a library of llvm"),
    ("runtime/emulator/CMakeLists.txt", "target_link_libraries(tine_emulator PUBLIC tine_graph)", "of the graph"),
]


def build(root, extra=None):
    for path, text in HOUSE.items():
        if extra and extra[0] == path:
            text += extra[1] + "\n"
        os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
        with open(os.path.join(root, path), "w", encoding="utf-8") as f:
            f.write(text)


class Arrows(unittest.TestCase):
    def test_house_in_order(self):
        with tempfile.TemporaryDirectory() as root:
            build(root)
            self.assertEqual(arrows.check(root), [])

    def test_each_broken_arrow(self):
        for file, line, complaint in BROKEN:
            with self.subTest(file=file, line=line), tempfile.TemporaryDirectory() as root:
                build(root, (file, line))
                found = arrows.check(root)
                self.assertEqual(len(found), 1, found)
                self.assertIn(complaint, found[0])
                self.assertTrue(found[0].startswith(file + ":"), found[0])

    def test_every_part_is_broken_once(self):
        parts = {arrows.part_of(file) for file, _, _ in BROKEN if not file.endswith("CMakeLists.txt")}
        self.assertEqual(parts, set(arrows.PARTS))


if __name__ == "__main__":
    unittest.main()
