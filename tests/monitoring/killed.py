"""Programs that train are killed at random moments, and compared with one that was not."""

import random
import re
import subprocess
import sys
import tempfile

_STEPS = 100_000  # More than a killed program reaches.


def _start(program, folder, last):
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", program, folder, str(last)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=tempfile.gettempdir(),
    )


def _trace(lines):
    """The printed steps and values; a line may be truncated, and errors may be in between."""
    steps = (re.fullmatch(r"(\d+) (\S+(?: \S+)?)\n", line) for line in lines)
    return [(int(step[1]), step[2]) for step in steps if step]


def check_kills(program, folder, kills, every, seed):
    """Kills a program as often as `kills` tells, and checks that it always goes on from its last checkpoint and prints
    what a program that was not killed prints. The program gets a folder and its last step, saves each `every` steps,
    and prints a line for each step: the number of steps before, and one or two values."""
    chance = random.Random(seed)
    seen, reached = {}, 0
    for _ in range(kills):
        process = _start(program, str(folder / "killed"), _STEPS)
        lines = [process.stdout.readline() for _ in range(chance.randrange(1, 5 * every))]
        process.kill()
        lines += process.stdout
        process.wait()
        process.stdout.close()
        trace = _trace(lines)
        assert trace, lines
        # A saved step may be missing in the output.
        assert reached - every - 1 <= trace[0][0] <= reached + 2, lines
        assert [at for at, _ in trace] == list(range(trace[0][0], trace[-1][0] + 1))
        for at, value in trace:
            assert seen.setdefault(at, value) == value, at
        reached = trace[-1][0]
    whole = _start(program, str(folder / "whole"), reached + 1).communicate()[0]
    trace = dict(_trace(whole.splitlines(keepends=True)))
    assert seen.items() <= trace.items(), whole[-2000:]
    assert len(trace) - len(seen) < kills
