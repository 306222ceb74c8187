"""Builds libraries with tinec, compiles programs against them and runs those, with Python's standard library only."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

TOOL = os.environ["TINEC"]
EXAMPLES = os.environ["TINE_EXAMPLES"]
HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "kernels", "kernels.hpp")
CONSUMERS = os.path.join(HERE, "consumers")
# A level below that of every machine that tests run on, so that what is built can be run.
TARGET = "cpu:x86-64-v3"


# For programs that are not instrumented and open what is, in sanitizer builds.
RUNTIME = os.environ.get("TINE_SANITIZER_RUNTIME")
INSTRUMENTED = {"LD_PRELOAD": RUNTIME, "ASAN_OPTIONS": "detect_leaks=0"} if RUNTIME else {}


def run(words, env=None, cwd=None, timeout=600):
    full = dict(os.environ, TINE_CACHE="off")
    full.pop("CXX", None)
    full.update(env or {})
    if "TINE_CUDA_LIBRARY" in full:  # the stand-in
        full.update(INSTRUMENTED)
    return subprocess.run(words, capture_output=True, text=True, env=full, cwd=cwd, timeout=timeout)


class Case(unittest.TestCase):
    """A test with a folder of its own, in which the tool runs."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="tine-aot-test-")
        self.addCleanup(self.folder.cleanup)

    def path(self, *names):
        return os.path.join(self.folder.name, *names)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w") as f:
            f.write(text if isinstance(text, str) else json.dumps(text))
        return self.path(name)

    def read(self, *names):
        with open(self.path(*names), "rb") as f:
            return f.read()

    def manifest(self, folder):
        return json.loads(self.read(folder, "manifest.json"))

    def tinec(self, *words, **options):
        options.setdefault("cwd", self.folder.name)
        return run([TOOL, *words], **options)

    def build(self, *words, command="build", **options):
        """Standard error of a build that succeeds."""
        done = self.tinec(command, *words, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def refuse(self, code, sentence, *words, command="build", **options):
        done = self.tinec(command, *words, **options)
        self.assertIn(sentence, done.stderr)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def counts(self, said):
        """(headers, compiled, unchanged, written) of a build's last line."""
        m = re.search(r"(\d+) headers? compiled, (\d+) variants? compiled, (\d+) unchanged; library (\w+)", said)
        self.assertIsNotNone(m, said)
        return int(m.group(1)), int(m.group(2)), int(m.group(3)), m.group(4) == "written"

    def compile(self, compiler, source, folder, library, *words, output="program"):
        language = ["-std=c++17"] if source.endswith(".cpp") else ["-std=c11"]
        command = [compiler, *language, "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-I" + self.path(folder),
                   os.path.join(CONSUMERS, source), *library, "-lm", *words, "-o", self.path(output)]
        done = run(command)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stderr)
        return self.path(output)

    def run_program(self, program, env=None):
        done = run([program], env=env)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("all right", done.stdout)
        return done


def main():
    unittest.main(module="__main__", verbosity=1, argv=[sys.argv[0], *sys.argv[1:]])
