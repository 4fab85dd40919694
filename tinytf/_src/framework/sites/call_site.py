"""Places in programs where operations, scopes and sessions are created. Line numbers are computed only on demand."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any

from tinytf import _core

# Frames as a flat tuple (code, instruction, code, instruction, …), innermost first; being flat, it is not tracked by
# the garbage collector. If the length is odd, the last element is another site with the outer frames, shared by
# everything created in one function.
Site = tuple[Any, ...]

creation_site = _core.creation_site


def frames_in(site: Site) -> Iterator[tuple[CodeType, int]]:
    """Yields code and instruction offset of each frame, innermost first."""
    while len(site) % 2:
        yield from zip(site[:-1:2], site[1::2], strict=True)
        site = site[-1]
    yield from zip(site[::2], site[1::2], strict=True)


def line_of(code: CodeType, instruction: int) -> int:
    """The line number of an instruction."""
    for start, end, line in code.co_lines():
        if start <= instruction < end and line is not None:
            return line
    return code.co_firstlineno


class CallSite:
    """One place in a program, for messages."""

    __slots__ = ("_code", "_instruction")

    def __init__(self, frame: FrameType | None) -> None:
        self._code = None if frame is None else frame.f_code
        self._instruction = 0 if frame is None else frame.f_lasti

    @property
    def filename(self) -> str:
        return "" if self._code is None else self._code.co_filename

    @property
    def lineno(self) -> int:
        return 0 if self._code is None else line_of(self._code, self._instruction)
