"""Code for newer processors is not shared with the rest of the program.

Each instruction-set level compiles the same sources with other flags. A template or inline function instantiated in two
levels is a weak symbol, of which the linker keeps one copy, possibly the one with AVX-512 instructions. Therefore the
build joins each level into one object, `kernels_<level>.o`, in which only the entry point is visible to the linker.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest
from build_folders import engine_folder

LEVELS = ("generic", "avx2", "avx512")


def _build():
    named = os.environ.get("TINYTF_BUILD")
    return Path(named) if named else engine_folder()


def _joined(level):
    """The object file of a level; None if the build is for another processor family, which has only the generic
    level.
    """
    build = _build()
    assert build, "no build folder: run `make test`, or name one in TINYTF_BUILD"
    joined = build / f"kernels_{level}.o"
    expected = level == "generic" or (build / "CMakeFiles" / f"kernels_{level}.dir").is_dir()
    assert joined.is_file() == expected, f"{joined} is missing or stale"
    return joined if expected else None


def _output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _visible(listing):
    """Symbols that are visible to the linker in the output of nm --defined-only --extern-only."""
    return sorted(line.split()[-1] for line in listing.splitlines() if len(line.split()) >= 3)


@pytest.mark.parametrize("level", LEVELS)
def test_only_the_entry_point_is_visible(level):
    joined = _joined(level)
    if joined:
        entry = f"_ZN6tinytf7kernels{len(level)}{level}10fill_tableERNS0_11KernelTableE"
        assert _visible(_output("nm", "--defined-only", "--extern-only", joined)) == [entry]


def test_the_generic_level_runs_everywhere():
    machine = os.uname().machine
    if machine in ("x86_64", "AMD64"):
        code = _output("objdump", "-d", "--no-show-raw-insn", _joined("generic"))
        assert "xmm" in code
        assert not re.findall(r"%[yz]mm\d+", code)


def test_the_check_itself_finds():
    listing = "000 W _ZN6tinytf14SerialParallel3runElldN\n010 T _ZN6tinytf7kernels4avx210fill_tableEv\n"
    assert len(_visible(listing)) == 2
