"""The place in the user's program where a session is created."""

from __future__ import annotations

import sys
from types import CodeType, FrameType

from tinytf._src.framework.sites.call_site import CallSite
from tinytf._src.framework.sites.creation_line import is_users_file, place


def users_frame() -> FrameType | None:
    """The innermost frame of the calling thread outside this package; None if there is none."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not is_users_file(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


class UsersSite(CallSite):
    """A call in the user's program; line number and use of the result are computed on demand."""

    __slots__ = ()

    def __str__(self) -> str:
        return place(self.filename, self.lineno)

    def drops_result(self) -> bool:
        """Whether the call is an expression statement, whose result is discarded."""
        return self._code is not None and _after(self._code, self._instruction)[0] == "POP_TOP"


def is_about_to_replace(frame: FrameType | None, value: object) -> bool:
    """Whether the result of the call in progress in `frame` will be assigned to the module variable that now holds
    `value`."""
    if frame is None:
        return False
    store, name = _after(frame.f_code, frame.f_lasti)
    if store == "STORE_NAME":
        return frame.f_locals.get(name) is value
    return store == "STORE_GLOBAL" and frame.f_globals.get(name) is value


def _after(code: CodeType, call: int) -> tuple[str, str]:
    """The name and argument of the instruction after the one at `call`."""
    import dis

    instructions = iter(dis.get_instructions(code))
    for instruction in instructions:
        if instruction.offset == call:
            break
    for instruction in instructions:
        if instruction.opname not in ("CACHE", "EXTENDED_ARG"):
            return instruction.opname, str(instruction.argval)
    return "", ""
