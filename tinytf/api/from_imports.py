"""What `from tinytf.contrib import slim` says of a name that is not there.

Python asks the module, drops the error of that, looks for a module `tinytf.contrib.slim`, and then says no more than that
it cannot import the name. The last finder of modules tells the reason instead.
"""

from __future__ import annotations

import dis
import importlib.abc
import importlib.machinery
import sys
import types
from collections.abc import Sequence

from tinytf.api.missing import why_missing


class FromImports(importlib.abc.MetaPathFinder):
    """Finds no module. Raises ImportError where a name of a module of the API is imported that it does not have."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """None; ImportError while a `from … import …` looks for a name of a module that finds its names when asked."""
        parent, _, name = fullname.rpartition(".")
        if parent.partition(".")[0] != "tinytf" or name.startswith("_"):
            return None
        if hasattr(sys.modules.get(parent), "__getattr__") and _is_from_import():
            later = sys.meta_path[sys.meta_path.index(self) + 1 :]
            if any(finder.find_spec(fullname, path, target) is not None for finder in later):
                return None
            reason = why_missing(f"{parent}.{name}".replace("tinytf", "tf", 1))
            raise ImportError(f"cannot import name {name!r} from {parent!r}: {reason}", name=parent)
        return None


def _is_from_import() -> bool:
    """Whether the import in progress is that of a name, by a statement: `__import__` passes over names that are not there."""
    frame: types.FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__") == "importlib._bootstrap":
        is_of_name = frame.f_code.co_name == "_handle_fromlist"
        frame = frame.f_back
        if is_of_name and frame is not None:
            return frame.f_code.co_code[frame.f_lasti] == dis.opmap["IMPORT_NAME"]
    return False
