"""Thousands of pipelines that are made, pulled and dropped leave threads, files, memory and resources as they were.

The environment variable TINYTF_CYCLES sets their number.
"""

import pytest
from programs import run_program

_START = """
import gc, os, resource, time
import numpy as np
import tinytf as tf
from tinytf import _core

COUNT = int(os.environ.get("TINYTF_CYCLES", "300"))
MIB = 1 << 20

def pipeline(files):
    inner = lambda x: tf.data.Dataset.range(x, x + 3).shuffle(3)
    numbers = tf.data.Dataset.range(40).shuffle(9).map(lambda x: x % 7, num_parallel_calls=2)
    several = numbers.interleave(inner, cycle_length=2, num_parallel_calls=2)
    windows = several.window(4, drop_remainder=True).shuffle(2).flat_map(lambda w: w.batch(4))
    lines = tf.data.TextLineDataset(files).repeat().map(tf.strings.length)
    return tf.data.Dataset.zip((windows.cache().prefetch(2).repeat(), lines.prefetch(1)))

def held():
    return len(os.listdir("/proc/self/task")), len(os.listdir("/proc/self/fd")), _core.live_buffers()

def resident():
    with open("/proc/self/statm") as file:
        _, resident, shared, *_ = file.read().split()
        return (int(resident) - int(shared)) * resource.getpagesize()

def at_rest(rest, wanted=None):
    \"\"\"What is held when tasks of dropped pipelines have ended: the wanted, or the same several times.\"\"\"
    end, seen = time.monotonic() + 60, []
    while time.monotonic() < end:
        seen = [*seen[-9:], rest()]
        if seen[-1] == wanted or (wanted is None and seen == seen[:1] * 10):
            break
        time.sleep(0.02)
    return seen[-1]

def check(cycle, rest):
    \"\"\"Growth is that of the least of three parts, because a leak occurs in each of them.\"\"\"
    for _ in range(COUNT // 10 + 20):
        cycle()
    before, grown = at_rest(rest), []
    for _ in range(3):
        size = resident()
        for _ in range(COUNT // 3):
            cycle()
        after = at_rest(rest, before)
        grown.append(resident() - size)
    assert after == before, (before, after)
    assert 3 * min(grown) <= 2 * MIB, grown
    print("left", 3 * min(grown), "bytes")

with open("lines.txt", "w") as file:
    file.write("a\\nbc\\n\\n" * 5)
"""

_IN_A_GRAPH = """
iterator = tf.data.make_initializable_iterator(pipeline("lines.txt"))
element = iterator.get_next()
position = tf.data.experimental.make_saveable_from_iterator(iterator).specs[0].tensor.op
with tf.Session() as session:
    def cycle():
        session.run(iterator.initializer)
        for _ in range(3):
            session.run(element)
        session.run(position)

    def rest():
        session.run(iterator.initializer)  # ends the tasks of the pipeline before, of which the new one has none
        gc.collect()
        return held()

    check(cycle, rest)
"""

_EAGERLY = """
tf.enable_eager_execution()
dataset = pipeline("lines.txt")

def cycle():
    iterator = iter(dataset)
    for _ in range(3):
        next(iterator)

def rest():
    gc.collect()
    return held()

check(cycle, rest)
"""


@pytest.mark.parametrize("program", [_IN_A_GRAPH, _EAGERLY], ids=["graph", "eager"])
def test_pipelines_leave_nothing(program, tmp_path):
    done = run_program(_START + program, timeout=3600, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr[-3000:]
    assert done.stdout.startswith("left ")
