"""The user's line among the frames of a raw `Site`; `creation_line` finds it in the traceback of an operation."""

from __future__ import annotations

from tinytf._src.framework.sites.call_site import Site, frames_in, line_of
from tinytf._src.framework.sites.creation_line import is_users_file


def user_line(site: Site) -> tuple[str, int]:
    """File and line of the innermost frame outside this package; the outermost frame if all are inside."""
    for code, instruction in frames_in(site):
        if is_users_file(code.co_filename):
            return code.co_filename, line_of(code, instruction)
    return code.co_filename, line_of(code, instruction)
