"""An installed Tine in an empty prefix: a project finds it, makes a library, and its programs run without Tine."""

import os
import re
import shutil
import subprocess
import unittest

from harness import INSTRUMENTED, Case, main, run

BUILD, SOURCE = os.environ["TINE_BUILD"], os.environ["TINE_SOURCE"]


class Install(Case):
    def install(self):
        done = run(["cmake", "--install", BUILD, "--prefix", self.path("prefix")])
        self.assertEqual(done.returncode, 0, done.stderr)

    def check(self, *words, env=None):
        done = run(list(words), cwd=self.folder.name, env=env)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_consumer_project(self):
        self.install()
        shutil.copytree(os.path.join(SOURCE, "examples", "aot"), self.path("project"))
        for c, cpp in (("gcc", "g++"), ("clang-22", "clang++-22")):
            with self.subTest(c):
                folder = "build-" + c
                self.check("cmake", "-S", "project", "-B", folder, "-G", "Ninja", "-DCMAKE_PREFIX_PATH=" + self.path("prefix"),
                           "-DCMAKE_C_COMPILER=" + c, "-DCMAKE_CXX_COMPILER=" + cpp)
                self.check("cmake", "--build", folder)
                for program in ("from_c", "from_cpp"):
                    self.assertIn("right\n", self.check(os.path.join(folder, program)))
                    needed = subprocess.run(["readelf", "-d", self.path(folder, program)], capture_output=True, text=True, check=True).stdout
                    self.assertNotRegex(needed, r"NEEDED.*(tine|LLVM|MLIR)")
                # A header that is included has changed: the library is made anew, then nothing is to be done.
                with open(self.path("project", "axpy.hpp"), "a") as f:
                    f.write("// changed\n")
                self.assertIn("Kernel library mykernels", self.check("cmake", "--build", folder))
                self.assertIn("no work to do", self.check("cmake", "--build", folder))

    def test_libraries_of_other_machines_have_their_sources(self):
        self.install()
        folder = self.path("prefix", "share", "tine", "aot")
        with open(os.path.join(folder, "files")) as f:
            for line in f:
                kind, name = line.split()
                self.assertTrue(os.path.exists(os.path.join(folder, name)), line)

    @unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is not installed")
    def test_pkg_config(self):
        self.install()
        self.write("host.cpp", '#include <tine/tine.hpp>\nint main() { return tine::jit_statistics().compiled != 0; }\n')
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "tine"], capture_output=True, text=True, check=True,
                               env={**os.environ, "PKG_CONFIG_PATH": self.path("prefix", "lib", "pkgconfig")}).stdout.split()
        self.check("g++", "-std=c++20", "host.cpp", *flags, "-Wl,-rpath," + self.path("prefix", "lib"), "-o", "host")
        self.check("./host", env=INSTRUMENTED)

    @unittest.skipUnless(shutil.which("dpkg-deb"), "dpkg-deb is not installed")
    def test_debian_package(self):
        self.check("cpack", "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-B", self.path("packages"))
        packages = [n for n in os.listdir(self.path("packages")) if n.endswith(".deb")]
        self.assertEqual(len(packages), 1)
        listed = self.check("dpkg-deb", "-c", os.path.join("packages", packages[0]))
        for name in ("usr/bin/tinec", "usr/lib/libtine.so", "usr/lib/libtine-compiler.so", "usr/lib/libtine_aot.a", "usr/include/tine/tine.hpp",
                     "usr/lib/cmake/Tine/TineConfig.cmake", "usr/lib/pkgconfig/tine.pc"):
            self.assertRegex(listed, re.escape("./" + name))
        self.assertIn("libmlir-22", self.check("dpkg-deb", "-f", os.path.join("packages", packages[0]), "Depends"))
        # What was unpacked elsewhere works.
        self.check("dpkg-deb", "-x", os.path.join("packages", packages[0]), "root")
        self.assertIn("LLVM 22", self.check(self.path("root", "usr", "bin", "tinec"), "--version"))


if __name__ == "__main__":
    main()
