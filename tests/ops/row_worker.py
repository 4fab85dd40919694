"""Worker processes that check rows of the op table, because a failure may crash or hang the process."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from pathlib import Path

_START_SECONDS = 300  # time limit for the worker's imports
_SECONDS = 15  # CPU seconds without output from the worker; a case takes milliseconds
_WAITING = 12  # factor on the time for a worker that is idle or waits for a CPU


def _seconds_of_work(pid: int) -> float:
    """The CPU time of a process; the wall time if it is unavailable."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class RowWorker:
    """A worker process that runs a script and is replaced if it ends. To be used by one thread at a time.

    The script writes a line `.` when it is ready. For each line that it reads, it writes `? case` before each attempt,
    `! text` for each failure, and `.` at the end.
    """

    def __init__(self, script: Path) -> None:
        self._script = script
        self._process: subprocess.Popen[bytes] | None = None
        self._pending = b""

    def check(self, request: str) -> tuple[list[str], str | None]:
        """Returns the failures as texts, and the case that ended the process, if any."""
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
        """The worker's next line; None if the worker has ended or takes too long."""
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
        """Ends the process, if it runs, and returns how it ended."""
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
