"""Sizes that overflow never crash, hang, or take memory that a message does not have: every row of the op table."""

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest
from op_table import all_rows

_START_SECONDS = 300  # for the worker's imports
_SECONDS = 15  # without a word from the worker; a case takes milliseconds
_KNOWN = Path(__file__).with_name("hostile_known.txt")


class _Worker:
    """A process that tries rows. After one that ended it, there is a new one."""

    def __init__(self):
        self._process = None
        self._pending = b""

    def check(self, row):
        """What is wrong with a row, as a list of texts."""
        if self._process is None:
            command = [sys.executable, str(Path(__file__).with_name("hostile_worker.py"))]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            assert self._line(_START_SECONDS) == "."
        self._process.stdin.write(f"{row}\n".encode())
        self._process.stdin.flush()
        wrong, case = [], "before the first case"
        while True:
            line = self._line(_SECONDS)
            if line == ".":
                return wrong
            if line is None:
                return [*wrong, f"{case}: {self.stop()}"]
            if line.startswith("?"):
                case = line[2:]
            else:
                wrong.append(line[2:])

    def _line(self, seconds):
        """The worker's next line; None when there is none, for too long or for ever."""
        while b"\n" not in self._pending:
            if not select.select([self._process.stdout], [], [], seconds)[0]:
                return None
            read = os.read(self._process.stdout.fileno(), 1 << 16)
            if not read:
                return None
            self._pending += read
        line, self._pending = self._pending.split(b"\n", 1)
        return line.decode()

    def stop(self):
        """Ends the process, if there is one, and says how it ended."""
        if self._process is None:
            return ""
        self._process.stdin.close()
        try:
            text = f"ended the process with {self._process.wait(5)}"
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            text = "did not end"
        self._process.stdout.close()
        self._process, self._pending = None, b""
        return text


@pytest.fixture(scope="module")
def worker():
    worker = _Worker()
    yield worker
    worker.stop()


def _known(kind):
    """The ops that hostile_known.txt names for `numbers` or `hollow`, with the reasons."""
    lines = [line.split(":", 2) for line in _KNOWN.read_text().splitlines() if line and not line.startswith("#")]
    return {op.strip(): reason.strip() for op, of, reason in lines if of.strip() == kind}


_NUMBERS, _HOLLOW = _known("numbers"), _known("hollow")


@pytest.mark.parametrize("row", [name for name, row in all_rows() if row.op not in _NUMBERS])
def test_row(row, worker):
    op = row.rsplit("-", 1)[0]
    wrong = worker.check(row + ("!" if op in _HOLLOW else ""))
    if wrong:
        pytest.fail(f"{len(wrong)} cases of {row}:\n" + "\n".join(wrong[:6]), pytrace=False)


def test_known_ops_have_rows_and_reasons():
    ops = {row.op for _, row in all_rows()}
    wrong = [op for known in (_NUMBERS, _HOLLOW) for op, reason in known.items() if op not in ops or not reason]
    assert not wrong
