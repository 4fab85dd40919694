"""Generates the stubs of op functions and of the public namespaces from the installed package.

python tinytf/_src/tools/stubs.py           writes them
python tinytf/_src/tools/stubs.py --check   exits with 1 if a file is out of date
"""

from __future__ import annotations

import sys
from pathlib import Path

from tinytf import _core
from tinytf._src.tools import op_stubs, public_stubs
from tinytf._src.tools.op_wrappers import Op

_PACKAGE = Path(__file__).resolve().parents[2]


def generate(package: Path) -> dict[Path, str]:
    """The contents of the stub files of the package in this folder, by path."""
    ops = [Op(_core.op_def(name)) for name in sorted(_core.op_names())]
    texts = {package / "_gen" / name: text for name, text in op_stubs.generate(ops).items()}
    return texts | public_stubs.generate(package)


def left_over(package: Path, files: dict[Path, str]) -> list[Path]:
    """Stubs generated earlier that are not among `files`, because their modules no longer exist."""
    written = [path for path in package.rglob("*.pyi") if path.parent.name == "_gen" or public_stubs.is_written(path)]
    return [path for path in written if path not in files]


def main(arguments: list[str]) -> int:
    """Writes or checks the files, depending on the arguments; returns the exit status."""
    files = generate(_PACKAGE)
    stale = [path for path, text in files.items() if not path.exists() or path.read_text() != text]
    over = left_over(_PACKAGE, files)
    if "--check" in arguments:
        for path in [*stale, *over]:
            print(f"{path.relative_to(_PACKAGE)} is not up to date: run python tinytf/_src/tools/stubs.py")
        return 1 if stale or over else 0
    for path in over:
        path.unlink()
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[path])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
