"""Every header compiles on its own without warnings."""

import os
import re
import subprocess
import sysconfig
from concurrent.futures import ThreadPoolExecutor

import pybind11
from repository import CSRC, ROOT, cpp_files

# Sources of one instruction-set level are included only by its own translation units.
_EXCLUDED = "kernels/isa/"


def _first_includes():
    """Headers that some source or test includes first, which already proves that they compile on their own."""
    sources = [*(path for path in cpp_files() if path.suffix == ".cc"), *(ROOT / "tests/cpp").glob("*.cc")]
    found = (re.search(r'^#include (["<])([^">]+)', path.read_text(), re.MULTILINE) for path in sources)
    return {first[2] for first in found if first and first[1] == '"'}


def _compile(header):
    """The compiler output for a file that includes only `header`; empty if it succeeds."""
    command = [os.environ.get("CXX", "c++"), "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", f"-I{CSRC}"]
    if header.startswith("python/"):
        command += ["-isystem", pybind11.get_include(), "-isystem", sysconfig.get_path("include")]
    source = f'#include "{header}"\n'
    done = subprocess.run([*command, "-x", "c++", "-"], input=source, capture_output=True, text=True, check=False)
    return f"{header}:\n{done.stderr}" if done.returncode else ""


def test_headers_compile_alone():
    headers = [path.relative_to(CSRC).as_posix() for path in cpp_files() if path.suffix == ".h"]
    seen = _first_includes()
    headers = [header for header in headers if not header.startswith(_EXCLUDED) and header not in seen]
    assert headers
    with ThreadPoolExecutor(max_workers=2) as pool:
        complaints = [text for text in pool.map(_compile, headers) if text]
    assert not complaints, "\n".join(complaints)
