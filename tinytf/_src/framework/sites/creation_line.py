"""Where operations were created: the user's line among the frames of their tracebacks.

An operation is any object with `traceback`: frames (filename, line number, function, source line), outermost first, the
source line optional.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

_OWN_FILES = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3)) + os.sep
_DEMOS = os.path.join(_OWN_FILES, "demos", "")  # user-like programs, although they are part of the package


def defining_frame(op: Any) -> Any:
    """The innermost frame of `op.traceback` outside this package, or the outermost one; None without frames."""
    frame = None
    for frame in op._frames() if hasattr(op, "_frames") else reversed(frames_of(op)):
        if is_users_file(frame[0]):
            return frame
    return frame


def place(shown: str, line: int, file: str | None = None) -> str:
    """`SHOWN:LINE`; for a notebook cell its number, as the notebook shows it. `file` is the full file name if `shown`
    is shortened."""
    cell = cell_name(file or shown)
    return f"{cell}, line {line}" if cell else f"{shown}:{line}"


def cell_name(file: str) -> str:
    """`Cell In[4]` for the file name under which a notebook's fourth input was compiled; '' for other files."""
    ipython = sys.modules.get("IPython")
    shell = getattr(ipython, "get_ipython", lambda: None)()
    number = getattr(getattr(shell, "compile", None), "_filename_map", {}).get(file)
    return "" if number is None else f"Cell In[{number}]"


def creation_line(op: Any) -> str:
    """`FILE:LINE` of the user's line that created `op`; '' if it is unknown."""
    frame = defining_frame(op)
    return "" if frame is None else place(frame[0], frame[1])


def made_at(op: Any) -> str:
    """`, created at FILE:LINE,` for messages; '' if it is unknown."""
    line = creation_line(op)
    return f", created at {line}," if line else ""


def is_users_file(filename: str) -> bool:
    """Whether a traceback's file belongs to the user's program and not to this package."""
    return (not filename.startswith(_OWN_FILES) or filename.startswith(_DEMOS)) and "<embedded" not in filename


def files_of(op: Any) -> set[str]:
    """The files of the frames."""
    return op._files() if hasattr(op, "_files") else {frame[0] for frame in frames_of(op)}


def frames_of(op: Any) -> Sequence[Any]:
    """The frames of `op.traceback`; empty if it has none."""
    return op.traceback or ()
