"""What the build runs: writes the Python that follows from the engine and the sources into a folder, which becomes part of
`tinytf/_gen`.

    python tinytf/tools/build.py EXTENSION FOLDER     EXTENSION: the compiled `_core`

The package cannot be imported before these files are there: its modules that are needed here are loaded without it.
"""

from __future__ import annotations

import importlib.util
import sys
import types
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parent.parent


def _load(extension: str) -> Any:
    """The engine, as `tinytf._core` of a package that has the sources' modules but runs no `__init__`."""
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
    """Texts by file name."""
    from tinytf.tools import op_wrappers, public_names

    ops = [op_wrappers.Op(core.op_def(name)) for name in sorted(core.op_names())]
    return op_wrappers.generate(ops) | public_names.generate(_PACKAGE, op_wrappers.endpoints(ops))


def main(extension: str, folder: str) -> None:
    """Writes what has changed; what is not written any more goes."""
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
