"""The command line itself, the C++ compiler behind it, and what is left behind: nothing."""

import os
import re
import shutil
import signal
import subprocess
import time

from harness import BASIC, KERNELS, TOOL, Case, main

BROKEN = os.path.join(KERNELS, "broken.hpp")


class CommandLine(Case):
    def test_help(self):
        text = self.succeed("--help")
        for word in ["list", "emit", "run", "arrange", "devices", "doctor", "Examples:", "Exit codes"]:
            self.assertIn(word, text)
        for command in ["list", "emit", "run", "arrange"]:
            text = self.succeed(command, "--help")
            self.assertIn("Examples:\n  tinec %s" % command, text)
            self.assertIn("--cxx", text)
        self.assertIn("--arg NAME=FILE.npy", self.succeed("run", "-h"))

    def test_version(self):
        self.assertRegex(
            self.succeed("--version"), r"\Atinec \d+\.\d+\.\d+\ncompiler [0-9a-f]{16,}\nLLVM 22\.\d+\.\d+\n\Z"
        )
        without = self.succeed("--version", env={"TINE_COMPILER_LIBRARY": "/none.so"})
        self.assertRegex(without, r"\Atinec \d+\.\d+\.\d+\ncompiler none: .*/none\.so")

    def test_usage(self):
        self.refuse(2, "a command is missing; there are `list`, `emit`, `run`, `arrange`, `build`, `link`, `devices` and `doctor`")
        self.refuse(2, "command `rnu` does not exist; there are `run`, ", "rnu")
        self.refuse(2, "--frobnicate", "list", BASIC, "--frobnicate")
        self.refuse(2, "a command is missing before `--frobnicate`; there are", "--frobnicate")
        self.refuse(2, "header is required", "list")
        self.refuse(2, "`--kernel` is empty", "run", BASIC, "--kernel", " ")
        self.refuse(2, "`tinec run --help` says more", "run", BASIC)

    def test_header_that_does_not_compile(self):
        for command in [
            ["list", BROKEN],
            ["emit", BROKEN, "--kernel", "Broken", "--stage", "graph"],
            ["run", BROKEN, "--kernel", "Broken"],
            ["arrange", BROKEN, "--kernel", "Nothing"],
        ]:
            code, out, err = self.run_tool(*command)
            self.assertEqual((code, out), (1, ""))
            self.assertRegex(err, r"broken\.hpp:4:.*error:.*undeclared_type")
            self.assertNotIn("tinec: error", err)

    def test_unknown_kernel(self):
        code, _, err = self.run_tool("run", BASIC, "--kernel", "Ad<float>")
        self.assertEqual(code, 1)
        self.assertTrue(
            err.endswith(
                "kernel `Ad<float>` does not exist; `%s` has `Add<float>`, `Add<nt::f16>`, `Not`, `Widen`, "
                "`Copy<nt::i32>`, `Scale` and `Decode`\n" % BASIC
            ),
            err,
        )

    def test_kernel_whose_use_does_not_compile(self):
        code, _, err = self.run_tool("run", BASIC, "--kernel", "Add<struct Unknown>")
        self.assertEqual(code, 1)
        self.assertIn("tine: this is not an element type", err)
        self.assertNotIn("does not exist", err)
        code, _, err = self.run_tool("run", BASIC, "--kernel", "3")
        self.assertEqual(code, 1)
        self.assertIn("error:", err)

    def test_options_of_the_compiler(self):
        os.mkdir(self.path("inc"))
        self.write("inc/part.hpp", "#pragma once\n#define FROM_PART 1\n")
        self.write(
            "k.hpp",
            "#include <tine/tine.hpp>\n#include <part.hpp>\n#if FROM_PART + VALUE != 5 || __cplusplus < 202100\n#error wrong\n#endif\n",
        )
        self.succeed("list", "--json", "k.hpp", "-I", "inc", "-D", "VALUE=4", "--std", "c++2b")
        self.succeed("list", "--json", "k.hpp", "-Iinc", "-DVALUE=4", "--std=c++2b", "--cxx", "clang++-22")
        self.assertEqual(self.run_tool("list", "--json", "k.hpp", "-I", "inc", "-D", "VALUE=4")[0], 1)

    def test_choice_of_the_compiler(self):
        self.write("cxx", '#!/bin/sh\necho "$@" > words\nexec g++ "$@"\n')
        os.chmod(self.path("cxx"), 0o755)

        def words():
            with open(self.path("words")) as f:
                text = f.read()
            os.remove(self.path("words"))
            return text

        self.succeed("list", BASIC, "--cxx", "./cxx")
        self.assertIn("-std=c++20 -O1", words())
        self.succeed("list", BASIC, env={"CXX": "./cxx -fno-strict-aliasing"})
        self.assertTrue(words().startswith("-fno-strict-aliasing"))
        self.succeed("list", BASIC, "--cxx", "g++", env={"CXX": "./cxx"})
        self.assertFalse(os.path.exists(self.path("words")))
        self.refuse(
            1,
            "`none-such-compiler` cannot be started: No such file or directory",
            "list",
            BASIC,
            "--cxx",
            "none-such-compiler",
        )
        self.refuse(1, "`--cxx` names no compiler", "list", BASIC, "--cxx", " ")
        self.refuse(
            1,
            "no C++ compiler was found; there is none of `g++`, `clang++` and `clang++-22`",
            "list",
            BASIC,
            env={"CXX": "", "PATH": self.folder.name},
        )

    def test_quiet_and_progress(self):
        # Progress lines are for terminals only: the pipes of all other tests would show them.
        self.succeed("--quiet", "list", BASIC)
        self.succeed("list", BASIC, "--quiet")
        self.write("cxx", '#!/bin/sh\nsleep 1.5\nexec g++ "$@"\n')
        os.chmod(self.path("cxx"), 0o755)
        for quiet, want in [([], "tinec: compiling %s with ./cxx ...\r\n" % BASIC), (["--quiet"], "")]:
            master, slave = os.openpty()
            subprocess.run(
                [TOOL, "list", BASIC, "--cxx", "./cxx", *quiet],
                stdout=subprocess.DEVNULL,
                stderr=slave,
                cwd=self.folder.name,
                check=True,
            )
            os.write(slave, b"end")
            got = b""
            while not got.endswith(b"end"):
                got += os.read(master, 10000)
            self.assertEqual(got.decode(), want + "end")
            os.close(master)
            os.close(slave)


class Installed(Case):
    """The program with its libraries and headers, copied to another place as `cmake --install` does."""

    def setUp(self):
        super().setUp()
        build = os.path.dirname(os.path.dirname(TOOL))
        for folder, names in [("bin", ["tinec"]), ("lib", ["libtine.so", "libtine-compiler.so"])]:
            os.mkdir(self.path(folder))
            for name in names:
                shutil.copy2(os.path.join(build, folder, name), self.path(folder))
        self.tool = self.path("bin/tinec")

    def run_installed(self, *words):
        done = subprocess.run([self.tool, *words], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def test_headers_beside_the_program(self):
        with open(os.path.join(os.path.dirname(os.path.dirname(TOOL)), "share", "tine", "include-folders")) as f:
            for folder in f.read().split("\n")[:-1]:
                shutil.copytree(folder, self.path("include"), dirs_exist_ok=True)
        code, out, err = self.run_installed("emit", BASIC, "--kernel", "Add<nt::f16>", "--stage", "llvm")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("@tine_entry", out)
        os.rename(self.path("lib/libtine-compiler.so"), self.path("lib/away.so"))
        self.assertEqual(self.run_installed("list", BASIC)[0], 0)  # needs no compiler of kernels
        code, out, err = self.run_installed("emit", BASIC, "--kernel", "Add<nt::f16>", "--stage", "llvm")
        self.assertEqual((code, out), (1, ""))
        self.assertIn("tinec: error: the compiler could not be opened", err)

    def test_no_headers(self):
        code, out, err = self.run_installed("list", BASIC)
        self.assertEqual((code, out), (1, ""))
        self.assertRegex(
            err,
            r"\Atinec: error: Tine's headers are missing: there is neither `.*/include/tine/tine.hpp` nor `.*/share/tine/include-folders`",
        )


class LeftBehind(Case):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("tmp"))
        self.env = {"TMPDIR": self.path("tmp")}

    def left(self):
        return os.listdir(self.path("tmp"))

    def test_temporary_files(self):
        self.succeed("list", BASIC, env=self.env)
        self.assertEqual(self.left(), [])
        self.assertEqual(self.run_tool("list", BROKEN, env=self.env)[0], 1)
        self.assertEqual(self.left(), [])
        self.refuse(1, "cannot be started", "list", BASIC, "--cxx", "/none", env=self.env)
        self.assertEqual(self.left(), [])
        self.write("exits.hpp", "#include <cstdlib>\n#include <tine/tine.hpp>\nstatic int x = (std::_Exit(7), 1);\n")
        self.assertEqual(self.run_tool("list", "exits.hpp", env=self.env)[0], 7)
        self.assertEqual(self.left(), [])

    def test_no_temporary_directory(self):
        self.refuse(1, "no temporary directory can be made as", "list", BASIC, env={"TMPDIR": "/none"})

    def test_signals(self):
        self.write("cxx", "#!/bin/sh\nsleep 60 &\necho $! > sleeper\nwait\n")
        os.chmod(self.path("cxx"), 0o755)
        for number in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]:
            tool = subprocess.Popen(
                [TOOL, "list", BASIC, "--cxx", "./cxx"],
                cwd=self.folder.name,
                env=dict(os.environ, **self.env),
                stderr=subprocess.PIPE,
            )
            while not os.path.exists(self.path("sleeper")) or not os.path.getsize(self.path("sleeper")):
                time.sleep(0.01)
            self.assertEqual(len(self.left()), 1)
            tool.send_signal(number)
            self.assertEqual(tool.wait(20), -number)
            tool.stderr.close()
            self.assertEqual(self.left(), [])
            with open(self.path("sleeper")) as f:
                sleeper = int(f.read())
            for _ in range(200):  # the compiler's own children are gone too
                try:
                    with open("/proc/%d/stat" % sleeper) as f:
                        if re.search(r"\) Z", f.read()):
                            break
                except FileNotFoundError:
                    break
                time.sleep(0.01)
            else:
                self.fail("the compiler's child still runs")
            os.remove(self.path("sleeper"))


if __name__ == "__main__":
    main()
