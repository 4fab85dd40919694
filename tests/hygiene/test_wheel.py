"""An installation consists of one small extension without foreign libraries."""

import importlib.metadata
import re
import subprocess

from repository import installed_package

from tinytf import _core

MAXIMAL_BYTES = 27_000_000
# Libraries that any Linux provides for C++ programs; nothing else is linked.
_SYSTEM = re.compile(r"(libc|libm|libstdc\+\+|libgcc_s|libpthread|libdl|librt|ld-linux.*|linux-vdso)\.so")


def test_no_foreign_library():
    shared = [path.name for path in installed_package().rglob("*.so*")]
    assert all(name.startswith("_core.") for name in shared) and len(shared) <= 1, shared
    assert not list(installed_package().parent.glob("tinytf.libs*"))


def test_links_against_the_system_only():
    dynamic = subprocess.run(["readelf", "-d", _core.__file__], capture_output=True, text=True, check=True).stdout
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
    assert needed and all(_SYSTEM.match(name) for name in needed), needed


def test_exports_one_symbol():
    """The extension exports only PyInit__core. Unique symbols of libstdc++ (`u`, `V`, `W`) always stay visible."""
    command = ["nm", "-D", "--defined-only", _core.__file__]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert [name for _, kind, name in map(str.split, lines) if kind in "TDBR"] == ["PyInit__core"]


def test_size():
    files = [path for path in installed_package().rglob("*") if path.is_file() and path.suffix != ".pyc"]
    total = sum(path.stat().st_size for path in files)
    print(f"installed size {total / 1e6:.1f} MB")
    assert total <= MAXIMAL_BYTES


def test_licences_travel():
    files = importlib.metadata.distribution("tinytf").files or []
    names = {path.name for path in files if ".dist-info" in str(path.parent)}
    assert {"LICENSE", "NOTICE", "eigen.MPL-2.0.txt", "pybind11.BSD-3-Clause.txt"} <= names, names
