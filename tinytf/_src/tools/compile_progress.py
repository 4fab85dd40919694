"""Runs a command that compiles with ninja, and shows how far it is instead of its output.

  python compile_progress.py COMMAND ARGUMENT...

On a terminal, one line is updated in place; elsewhere, a line is printed for each tenth of the work. If the command
fails, its errors and its last lines of output follow. The exit status is the command's.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections import deque
from typing import TextIO

_ERROR = re.compile(r"^FAILED: |\berror: ")
_STEP = re.compile(r"^\s*\[(\d+)/(\d+)\] ")
_SHOWN_OF_FAILURE = 200  # lines
_SHOWN_ERRORS = 50  # lines before those
_FEWEST = 20  # builds of fewer steps take seconds
_SURE_AFTER = 0.05  # the share of the work after which its speed is known


class Progress:
    """Prints the state of a build from the lines that ninja writes, `[12/240] Building …`. `seconds` is the time since
    the build began."""

    def __init__(self, out: TextIO, in_place: bool) -> None:
        self._out = out
        self._in_place = in_place
        self._total = 0
        self._began = 0.0
        self._tenth = 0

    def see(self, line: str, seconds: float) -> None:
        """Takes a line of output at this time."""
        step = _STEP.match(line)
        if step is None:
            return
        done, total = int(step[1]), int(step[2])
        if total < _FEWEST:
            return
        if total != self._total:  # another build begins
            self._total, self._began, self._tenth = total, seconds, 0
        if self._in_place:
            self._out.write("\r\033[K  " + self._text(done, seconds))
            self._out.flush()
        elif 10 * done // total > self._tenth:
            self._tenth = 10 * done // total
            print("  " + self._text(done, seconds), file=self._out, flush=True)

    def end(self) -> None:
        """Leaves the line that is updated in place."""
        if self._in_place and self._total:
            print(file=self._out, flush=True)

    def _text(self, done: int, seconds: float) -> str:
        text = f"compiled {done} of {self._total} ({100 * done // self._total} %)"
        if done < self._total * _SURE_AFTER or done == self._total:
            return text
        left = (seconds - self._began) * (self._total - done) / done
        return text + (
            f", about {round(left / 60)} minutes left" if left >= 90 else f", about {round(left)} seconds left"
        )


def run(command: list[str], progress: Progress, errors: TextIO) -> int:
    """Runs the command and returns its exit status."""
    last: deque[str] = deque(maxlen=_SHOWN_OF_FAILURE)
    earlier: list[str] = []  # errors, which warnings of other compilations may follow
    began = time.monotonic()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if len(last) == _SHOWN_OF_FAILURE and _ERROR.search(last[0]) and len(earlier) < _SHOWN_ERRORS:
                earlier.append(last[0])
            last.append(line)
            progress.see(line, time.monotonic() - began)
    progress.end()
    if process.returncode != 0:
        errors.writelines([*earlier, *last])
    return process.returncode


if __name__ == "__main__":
    try:
        sys.exit(run(sys.argv[1:], Progress(sys.stdout, sys.stdout.isatty()), sys.stderr))
    except KeyboardInterrupt:  # which the command got as well
        sys.exit(130)
