"""Processes that try rows of the op table, for what is looked for ends or stops a process."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from pathlib import Path

_START_SECONDS = 300  # for the worker's imports
_SECONDS = 15  # of work without a word from the worker; a case takes milliseconds
_WAITING = 12  # times as long for one that does not work, or has to wait for a processor


def _seconds_of_work(pid: int) -> float:
    """Processor time of a process; what does not tell it is taken to work all the time."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class RowWorker:
    """A process that runs a script. After one that ended it, there is a new one. For one thread at a time.

    The script writes a line `.` when it is ready. For each line that it reads, it writes lines `? case` before it tries
    something, `! text` for what is wrong, and `.` at the end.
    """

    def __init__(self, script: Path) -> None:
        self._script = script
        self._process: subprocess.Popen[bytes] | None = None
        self._pending = b""

    def check(self, request: str) -> tuple[list[str], str | None]:
        """What is wrong, as a list of texts, and the case that ended the process, if one did."""
        process = self._process or self._start()
        assert process.stdin is not None
        process.stdin.write(f"{request}\n".encode())
        process.stdin.flush()
        wrong, case = [], "before the first case"
        while True:
            line = self._line(process, _SECONDS)
            if line == ".":
                return wrong, None
            if line is None:
                return [*wrong, f"{case}: {self.stop()}"], case
            if line.startswith("?"):
                case = line[2:]
            else:
                wrong.append(line[2:])

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, str(self._script)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._line(self._process, _START_SECONDS) == "."
        return self._process

    def _line(self, process: subprocess.Popen[bytes], seconds: float) -> str | None:
        """The worker's next line; None when there is none, for too long or for ever."""
        assert process.stdout is not None
        end, worked = time.monotonic() + _WAITING * seconds, _seconds_of_work(process.pid)
        while b"\n" not in self._pending:
            if not select.select([process.stdout], [], [], 0.5)[0]:
                if time.monotonic() > end or _seconds_of_work(process.pid) - worked > seconds:
                    return None
                continue
            read = os.read(process.stdout.fileno(), 1 << 16)
            if not read:
                return None
            self._pending += read
        line, self._pending = self._pending.split(b"\n", 1)
        return line.decode()

    def stop(self) -> str:
        """Ends the process, if there is one, and says how it ended."""
        process, self._process, self._pending = self._process, None, b""
        if process is None:
            return ""
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        try:
            text = f"ended the process with {process.wait(5)}"
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            text = "did not end"
        process.stdout.close()
        return text
