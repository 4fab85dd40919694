"""The user's line that created an operation, without the rest of the traceback."""

from __future__ import annotations

from tinytf._src.framework.call_site import frames_in, line_of
from tinytf._src.framework.creation_line import is_users_file
from tinytf._src.framework.operation import Operation


def user_line(op: Operation) -> tuple[str, int]:
    """File and line of the innermost frame outside this package; the outermost frame if all are inside."""
    for code, instruction in frames_in(op._site):
        if is_users_file(code.co_filename):
            return code.co_filename, line_of(code, instruction)
    return code.co_filename, line_of(code, instruction)
