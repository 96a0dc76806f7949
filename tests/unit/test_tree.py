"""What can be said of the tree and its products without running them.

usage: test_tree.py SOURCE_ROOT LIBCODEMODE_SO CC CXX
"""
import pathlib
import re
import subprocess
import sys
import unittest

ROOT, LIBRARY, CC, CXX = sys.argv[1:5]
SOURCE = pathlib.Path(ROOT)
PUBLIC = SOURCE / "include/codemode/executor.h"
STRICT = ["-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
# Clang sees a header that is compiled alone as a source, whose inline functions nobody uses.
HEADER = ["-std=c17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function",
          "-fsyntax-only"]


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Tree(unittest.TestCase):
    def compiles(self, *command):
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_public_header_alone_is_c99(self):
        self.compiles(CC, "-std=c99", *STRICT, "-x", "c", str(PUBLIC))

    def test_the_public_header_alone_is_cpp17(self):
        self.compiles(CXX, "-std=c++17", *STRICT, "-x", "c++", str(PUBLIC))

    def test_each_header_compiles_alone(self):
        flags = output("pkg-config", "--cflags", "javascriptcoregtk-4.1", "libseccomp", "jansson")
        headers = sorted(SOURCE.glob("src/*/*.h"))
        self.assertGreater(len(headers), 20)
        for header in headers:
            with self.subTest(header=str(header.relative_to(SOURCE))):
                self.compiles(CC, *HEADER, f"-I{ROOT}/src", f"-I{ROOT}/include", *flags.split(),
                              "-x", "c", str(header))

    def test_the_library_exports_what_its_map_lists(self):
        text = (SOURCE / "src/executor/codemode.map").read_text()
        version = re.search(r"^(\w[\w.]*) \{", text).group(1)
        listed = {f"{name}@@{version}" for name in re.findall(r"^    (cm_\w+);$", text, re.M)}
        rows = [line.split() for line in output("nm", "-D", "--defined-only", LIBRARY).splitlines()]
        exported = {row[2] for row in rows if row[1] != "A"}
        self.assertGreater(len(listed), 20)
        self.assertEqual(exported, listed)

    def test_the_library_exports_what_the_header_declares(self):
        text = (SOURCE / "src/executor/codemode.map").read_text()
        listed = set(re.findall(r"^    (cm_\w+);$", text, re.M))
        declared = set(re.findall(r"^CM_API [^(]*?(cm_\w+)\(", PUBLIC.read_text(), re.M))
        self.assertEqual(listed, declared)

    def test_the_runtime_is_ascii(self):
        files = sorted(SOURCE.glob("runtime/*.js"))
        self.assertTrue(files)
        for file in files:
            for number, line in enumerate(file.read_bytes().splitlines(), 1):
                self.assertTrue(line.isascii(), f"{file.name}:{number}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
