"""Run by the build: generates the Python files of `tinytf/_gen` from the engine's op declarations and the sources.

    python tinytf/_src/tools/build.py EXTENSION FOLDER     EXTENSION: the compiled `_core`

The package cannot be imported before these files exist; the modules needed here are loaded without its `__init__`.
"""

from __future__ import annotations

import importlib.util
import sys
import types
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parents[2]


def _load(extension: str) -> Any:
    """Loads the engine as `tinytf._core`, in a stand-in package that finds the sources' modules but runs no
    `__init__`."""
    package = types.ModuleType("tinytf")
    package.__path__ = [str(_PACKAGE)]
    sys.modules["tinytf"] = package
    spec = importlib.util.spec_from_file_location("tinytf._core", extension)
    assert spec is not None and spec.loader is not None, extension
    core: Any = importlib.util.module_from_spec(spec)
    sys.modules["tinytf._core"] = package._core = core  # type: ignore[attr-defined]
    spec.loader.exec_module(core)
    return core


def generate(core: Any) -> dict[str, str]:
    """The contents of the generated files, by file name."""
    from tinytf._src.tools import op_wrappers, public_names

    ops = [op_wrappers.Op(core.op_def(name)) for name in sorted(core.op_names())]
    return op_wrappers.generate(ops) | public_names.generate(_PACKAGE, op_wrappers.endpoints(ops))


def main(extension: str, folder: str) -> None:
    """Writes the files that changed, and deletes Python files in the folder that are no longer generated."""
    into = Path(folder)
    into.mkdir(parents=True, exist_ok=True)
    texts = generate(_load(extension))
    for path in set(into.glob("*.py")) - {into / name for name in texts}:
        path.unlink()
    for name, text in texts.items():
        path = into / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
