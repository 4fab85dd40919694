"""No code that needs a newer processor is shared with the rest of the program.

Each instruction-set level compiles the same sources with other flags. A template or inline function that two of them
instantiate is a weak symbol, of which the linker keeps one copy: maybe the one with AVX-512 instructions. So whatever a
level defines weakly must carry the level in its name.
"""

import os
import subprocess
from pathlib import Path

import pytest
from repository import build_folder

LEVELS = ("generic", "avx2", "avx512")
DATA_ONLY = {"DW.ref.__gxx_personality_v0"}  # a pointer that exception tables share


def _build():
    named = os.environ.get("TINYTF_BUILD")
    return Path(named) if named else build_folder()


def _objects(level):
    build = _build()
    assert build, "no build folder: run `make test`, or name one in TINYTF_BUILD"
    return sorted((build / "CMakeFiles" / f"kernels_{level}.dir").rglob("*.o"))


def _shared(level, listing):
    """Weak and unique symbols in the output of nm that do not name the level."""
    pairs = {tuple(line.split()[-2:]) for line in listing.splitlines() if len(line.split()) >= 3}
    marks = (f"{len(level)}{level}", f"Eigen_{level}")
    weak = {name for kind, name in pairs if kind in "WVu"} - DATA_ONLY
    return sorted(name for name in weak if not any(mark in name for mark in marks))


@pytest.mark.parametrize("level", LEVELS)
def test_weak_symbols_name_their_level(level):
    objects = _objects(level)
    assert objects or level != "generic"
    if not objects:
        return  # another processor family: it has the generic level only
    listing = subprocess.run(["nm", "--defined-only", *objects], capture_output=True, text=True, check=True).stdout
    shared = _shared(level, listing)
    assert not shared, subprocess.run(["c++filt", *shared], capture_output=True, text=True, check=True).stdout


def test_the_check_itself_finds():
    listing = "a.o:\n000 W _ZN6tinytf14SerialParallel3runElldN\n000 T fill\n010 W _ZN6tinytf7kernels4avx21fEv\n"
    assert _shared("avx2", listing) == ["_ZN6tinytf14SerialParallel3runElldN"]
