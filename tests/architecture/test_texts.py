#!/usr/bin/env python3
"""Looks whether texts.py sees what it must, and nothing else."""
import unittest

import texts


class Texts(unittest.TestCase):
    def test_found(self):
        for line in ("https://pypi" + ".org/simple", "deb http://apt.llvm" + ".org/bookworm", "cd /" + "home/someone/tine", '"/' + 'root/x"', "-I/" + "work/main",
                     "see /" + "Users/me/x"):
            with self.subTest(line=line):
                self.assertEqual(len(list(texts.check_text(line))), 1)

    def test_left_alone(self):
        for line in ("/usr/lib/llvm-22/bin", "${HOME}/.cache/tine", "build/work/x", "../root/file", "$root/tools/test", "/tmp/tine", "a/home/b", "/proc/meminfo"):
            with self.subTest(line=line):
                self.assertEqual(list(texts.check_text(line)), [])


if __name__ == "__main__":
    unittest.main()
