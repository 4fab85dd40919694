"""What an installation consists of: one extension, no library of others, small."""

import re
import subprocess

from repository import installed_package

MAXIMAL_BYTES = 25_000_000
# What a C++ program needs from any Linux; nothing else is linked.
_SYSTEM = re.compile(r"(libc|libm|libstdc\+\+|libgcc_s|libpthread|libdl|librt|ld-linux.*|linux-vdso)\.so")


def _extensions():
    from tinytf import _core

    return [_core.__file__]


def test_no_foreign_library():
    shared = [path.name for path in installed_package().rglob("*.so*")]
    assert all(name.startswith("_core.") for name in shared) and len(shared) <= 1, shared
    assert not list(installed_package().parent.glob("tinytf.libs*"))


def test_links_against_the_system_only():
    for extension in _extensions():
        dynamic = subprocess.run(["readelf", "-d", extension], capture_output=True, text=True, check=True).stdout
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
        assert needed and all(_SYSTEM.match(name) for name in needed), needed


def test_exports_one_symbol():
    for extension in _extensions():
        names = subprocess.run(["nm", "-D", "--defined-only", extension], capture_output=True, text=True, check=True)
        exported = [line.split()[-1] for line in names.stdout.splitlines()]
        # libstdc++ marks its unique symbols (`u`) as visible whatever the flags say.
        own = [line.split()[-1] for line in names.stdout.splitlines() if line.split()[-2] in "TDBR"]
        assert own == ["PyInit__core"], own[:20]
        assert "PyInit__core" in exported


def test_size():
    files = [path for path in installed_package().rglob("*") if path.is_file() and path.suffix != ".pyc"]
    total = sum(path.stat().st_size for path in files)
    print(f"installed size {total / 1e6:.1f} MB")
    assert total <= MAXIMAL_BYTES


def test_licences_travel():
    metadata = list(installed_package().parent.glob("tinytf-*.dist-info"))
    assert len(metadata) == 1, metadata
    names = {path.name for path in metadata[0].rglob("*") if path.is_file()}
    assert {"LICENSE", "NOTICE", "eigen.MPL-2.0.txt", "pybind11.BSD-3-Clause.txt"} <= names, names
