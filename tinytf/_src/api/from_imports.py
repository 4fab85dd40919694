"""Gives `from tinytf.contrib import slim` an error message that explains why the name is missing.

Python asks the module for the attribute, drops the AttributeError, looks for a submodule `tinytf.contrib.slim`, and
then only reports that it cannot import the name. A finder at the end of `sys.meta_path` raises an ImportError with the
reason instead.
"""

from __future__ import annotations

import dis
import importlib.machinery
import sys
import types
from collections.abc import Sequence

from tinytf._src.api.missing import why_missing


class FromImports:
    """Finds no module; raises ImportError if a `from` import asks a module of the API for a name that it lacks."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Returns None. Raises ImportError during a `from … import …` of a missing name from a module that loads its
        names lazily."""
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
    """Whether the import in progress is that of a name in a `from` statement; a call of `__import__` ignores missing
    names."""
    frame: types.FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__") == "importlib._bootstrap":
        is_of_name = frame.f_code.co_name == "_handle_fromlist"
        frame = frame.f_back
        if is_of_name and frame is not None:
            return frame.f_code.co_code[frame.f_lasti] == dis.opmap["IMPORT_NAME"]
    return False
