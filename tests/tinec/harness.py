"""Runs tinec and reads and writes .npy files, with Python's standard library only."""

import os
import struct
import subprocess
import sys
import tempfile
import unittest

TOOL = os.environ["TINEC"]
HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "kernels")
BASIC = os.path.join(KERNELS, "basic.hpp")
WRONG = os.path.join(KERNELS, "wrong.hpp")
CODES = {
    "?": "|b1",
    "b": "|i1",
    "h": "<i2",
    "i": "<i4",
    "q": "<i8",
    "B": "|u1",
    "H": "<u2",
    "I": "<u4",
    "Q": "<u8",
    "e": "<f2",
    "f": "<f4",
    "d": "<f8",
}


def tinec(*words, env=None, cwd=None, stdin=None):
    """Exit code, standard output, standard error."""
    full = dict(os.environ, TINE_CACHE="off")
    full.pop("CXX", None)
    full.update(env or {})
    done = subprocess.run([TOOL, *words], capture_output=True, text=True, env=full, cwd=cwd, input=stdin, timeout=300)
    return done.returncode, done.stdout, done.stderr


def header(descr, shape, fortran=False, version=(1, 0)):
    text = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, fortran, tuple(shape))
    length = 2 if version[0] == 1 else 4
    text += " " * (63 - (8 + length + len(text)) % 64) + "\n"
    return b"\x93NUMPY" + bytes(version) + len(text).to_bytes(length, "little") + text.encode()


def npy(code, values, shape=None, fortran=False, order="<", descr=None, version=(1, 0)):
    """The bytes of a .npy file; `code` is that of struct, `values` are in the order of memory."""
    shape = (len(values),) if shape is None else shape
    descr = descr or CODES[code].replace("<", order)
    return header(descr, shape, fortran, version) + struct.pack("%s%d%s" % (order, len(values), code), *values)


def load(path):
    """(descr, fortran_order, shape, values in the order of memory)."""
    with open(path, "rb") as f:
        data = f.read()
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    length = int.from_bytes(data[8:10], "little")
    assert (10 + length) % 64 == 0
    head = eval(data[10 : 10 + length].decode(), {"__builtins__": {}})
    code = {v: k for k, v in CODES.items()}[head["descr"]]
    body = data[10 + length :]
    return (
        head["descr"],
        head["fortran_order"],
        head["shape"],
        list(struct.unpack("<%d%s" % (len(body) // struct.calcsize(code), code), body)),
    )


class Case(unittest.TestCase):
    """A test with a folder of its own, in which the tool runs."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="tinec-test-")
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, data):
        with open(self.path(name), "wb" if isinstance(data, bytes) else "w") as f:
            f.write(data)
        return self.path(name)

    def run_tool(self, *words, **options):
        options.setdefault("cwd", self.folder.name)
        return tinec(*words, **options)

    def succeed(self, *words, **options):
        code, out, err = self.run_tool(*words, **options)
        self.assertEqual((code, err), (0, ""), err)
        return out

    def refuse(self, code, sentence, *words, **options):
        """The tool ends with this code, prints nothing else than one line, and that contains the sentence."""
        got, out, err = self.run_tool(*words, **options)
        self.assertIn(sentence, err)
        self.assertEqual(got, code, err)
        self.assertEqual(out, "")
        self.assertEqual(err.count("\n"), 1, err)
        self.assertTrue(err.startswith("tinec: error: ") or ": error: " in err, err)
        self.assertNotRegex(err, r"\.\n$")
        return err


def main():
    unittest.main(module="__main__", verbosity=1, argv=[sys.argv[0], *sys.argv[1:]])
