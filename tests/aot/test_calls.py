"""Calls that go wrong in unusual ways, and calls from many threads at once."""

import os
import re

from harness import HERE, KERNELS, TARGET, Case, main, run

PROGRAM = r"""
#include <pthread.h>
#include <stdio.h>
#include "lib.h"
static int failures = 0;
static void* work(void* id) {
  enum { n = 3000 };
  static float x[8][n], y[8][n];
  const int64_t me = (int64_t)id;
  for (int64_t round = 0; round < 200; ++round) {
    const int64_t size = 1 + (me * 131 + round * 17) % n;
    const float s = (float)(me + 1);
    for (int64_t i = 0; i < size; ++i) x[me][i] = (float)(i + round), y[me][i] = -1;
    const tine_tensor tx = {x[me], &size, 0, 1, TINE_F32}, ts = {(void*)&s, 0, 0, 0, TINE_F32}, ty = {y[me], &size, 0, 1, TINE_F32};
    if (scaled_launch(TINE_STREAM_CPU, &tx, &ts, &ty)) return puts(lib_error()), __sync_fetch_and_add(&failures, 1), NULL;
    for (int64_t i = 0; i < size; ++i)
      if (y[me][i] != s * (float)(i + round)) return __sync_fetch_and_add(&failures, 1), NULL;
  }
  return NULL;
}
int main(void) {
  pthread_t threads[8];
  for (int64_t i = 0; i < 8; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < 8; ++i) pthread_join(threads[i], NULL);
  float x[4] = {1, 2, 3, 4}, s = 1;
  const int64_t n = 4;
  const tine_tensor good = {x, &n, 0, 1, TINE_F32}, ts = {&s, 0, 0, 0, TINE_F32}, flat = {x, NULL, 0, 1, TINE_F32}, nothing = {NULL, 0, 0, 0, TINE_F32};
  printf("%d %s\n", scaled_launch(TINE_STREAM_CPU, &flat, &ts, &good), lib_error());
  printf("%d %s\n", scaled_launch(TINE_STREAM_CPU, &good, &nothing, &good), lib_error());
  if (!failures) puts("all right");
  return failures;
}
"""


class Calls(Case):
    def program(self, target=TARGET):
        self.build(KERNELS, "--kernel", "Scaled<float>", "--target", target, "--name", "lib", "-o", "out", "--set", "block=64")
        source = self.write("program.c", PROGRAM)
        done = run(["gcc", "-Iout", source, "-Lout", "-llib", "-Wl,-rpath," + self.path("out"), "-lpthread", "-o", "program"], cwd=self.folder.name)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.path("program")

    def test_threads_and_null_pointers(self):
        self.assertEqual(self.run_program(self.program()).stdout.splitlines(), [
            "1 kernel `scaled`: parameter `x` has rank 1, but its shape is null",
            "1 kernel `scaled`: the data of parameter `s` (shape scalar) is null; only a tensor without elements may have none",
            "all right"])

    def test_no_memory(self):
        # The C library's `calloc` with a failure at one chosen call; each place that asks for memory fails once.
        self.build(KERNELS, "--kernel", "Scaled<float>", "--target", TARGET, "--name", "lib", "-o", "out", "--set", "block=64")
        source = self.write("short.c", r"""
#include <stdio.h>
#include "lib.h"
extern void* __libc_calloc(size_t, size_t);
static int refuse;
void* calloc(size_t n, size_t size) { return refuse ? NULL : __libc_calloc(n, size); }
static float x[4] = {1, 2, 3, 4}, y[4], s = 2;
static const int64_t n = 4;
static int launch(void) {
  const tine_tensor tx = {x, &n, 0, 1, TINE_F32}, ts = {&s, 0, 0, 0, TINE_F32}, ty = {y, &n, 0, 1, TINE_F32};
  refuse = 1;
  const int status = scaled_launch(TINE_STREAM_CPU, &tx, &ts, &ty);
  refuse = 0;
  return status;
}
int main(void) {
  const tine_tensor tx = {x, &n, 0, 1, TINE_F32}, ts = {&s, 0, 0, 0, TINE_F32}, ty = {y, &n, 0, 1, TINE_F32}, null = {NULL, &n, 0, 1, TINE_F32};
  int status = launch();
  printf("%d %s\n", status, lib_error());
  scaled_launch(TINE_STREAM_CPU, NULL, &ts, &ty); /* opens the library and refuses */
  status = launch();
  printf("%d %s\n", status, lib_error());
  scaled_launch(TINE_STREAM_CPU, &null, &ts, &ty); /* gets as far as the thread's memory */
  status = launch();
  printf("%d %s\n", status, lib_error());
  if (scaled_launch(TINE_STREAM_CPU, &tx, &ts, &ty) || y[3] != 8) return 1; /* and then it runs */
  puts("all right");
  return 0;
}
""")
        done = run(["gcc", "-Iout", source, "out/liblib.a", "-lpthread", "-o", "short"], cwd=self.folder.name)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.run_program(self.path("short")).stdout.splitlines(), [
            "2 library `lib`: the system gives no memory for its state",
            "2 kernel `scaled`: the system gives no memory for what a thread remembers",
            "2 kernel `scaled`: the system gives no memory for 72 bytes",  # 8 each: x, s, y; their strides; programs and size of x, and of y
            "all right"])

    def test_description_of_another_version(self):
        program = self.program()
        data = bytearray(self.read("out", "liblib.so"))
        at = data.index(b"TINEAOT\0\1\0\0\0")  # the description's first bytes: what it is, and its version
        data[at + 8] = 99
        with open(self.path("out", "liblib.so"), "wb") as f:
            f.write(data)
        self.assertIn("2 the library's description is of another version of Tine than its run time", run([program]).stdout.splitlines())

    def test_processor_without_the_instructions(self):
        with open("/proc/cpuinfo", encoding="utf-8") as f:
            if " amx_tile" in f.read():
                self.skipTest("not run: this processor has AMX, and there is no level above it")
        self.assertIn("kernel `scaled` was built for `cpu:amx`, and this processor has not all that any of them needs; build it for a lower level too",
                      run([self.program("cpu:amx")]).stdout.splitlines())

    def test_every_sentence_has_a_test(self):
        """Each sentence of the registry stands in a test, as a whole, with what fills it in."""
        with open(os.path.join(HERE, "..", "..", "runtime", "aot", "diagnostics.hpp"), encoding="utf-8") as f:
            text = f.read()
        registry = re.findall(r"X\((\w+), TINE_\w+,((?:[\s\\]*\"[^\"]*\")+)\)", text)
        self.assertEqual([name for name, _ in registry], re.findall(r"X\((\w+), TINE_", text))
        tests = ""
        for folder in (HERE, os.path.join(HERE, "consumers")):
            for name in os.listdir(folder):
                if name.endswith((".py", ".cpp", ".c")):
                    with open(os.path.join(folder, name), encoding="utf-8") as f:
                        tests += f.read()
        tests = re.sub(r'"\n +"', "", tests)  # literals that go on
        for name, literals in registry:
            text = "".join(re.findall(r'"([^"]*)"', literals))
            whole = ".+".join(re.escape(part) for part in re.split(r"\{\d\}", text)) + r'(\\n)?"'
            self.assertTrue(re.search(whole, tests), name)


if __name__ == "__main__":
    main()
