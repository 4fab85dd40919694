"""Closed sessions return threads, files and memory to the system; measured in separate processes."""

import os

import pytest
from process_threads import threads, threads_come_down_to
from programs import run_program
from watched_sessions import STRATEGIES

import tinytf as tf

NAMES = [strategy.name for strategy in STRATEGIES]

PREAMBLE = """
import os, resource, sys, time
import numpy as np
import tinytf as tf

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()

def threads_and_files():
    return len(os.listdir("/proc/self/task")), len(os.listdir("/proc/self/fd"))

def come_down_to(most):
    \"\"\"Whether they do so within ten seconds: the system lists a joined thread for a moment.\"\"\"
    end = time.monotonic() + 10
    more = lambda: any(now > limit for now, limit in zip(threads_and_files(), most))
    while more() and time.monotonic() < end:
        time.sleep(0.01)
    return not more()

options = {
    "resource_cleanup_strategy": tf.EagerSession.ResourceCleanupStrategy[sys.argv[1]],
    "async_": sys.argv[2] == "async",
}
MIB = 1 << 20
"""

CYCLES = """
def cycle(count):
    for _ in range(count):
        with tf.EagerSession(**options):
            tf.constant(1.0) + 1.0

cycle(1_000)
before, held = resident(), threads_and_files()
cycle(int(os.environ.get("TINYTF_CYCLES", "2000")))
assert come_down_to(held), (threads_and_files(), held)
grown = resident() - before
assert grown <= MIB, grown
"""

# Tensor objects and their handles stay until they are dropped; a few large tensors make these negligible.
HELD = """
elements, count = int(sys.argv[3]), int(sys.argv[4])
array = np.ones(elements, np.float32)

def hold():
    with tf.EagerSession(**options) as session:
        kept = [tf.constant(array) + 1.0 for _ in range(count)]
        session.synchronize()
        assert session.stats().live_bytes >= 500_000_000
        assert resident() > 500_000_000
    return kept  # invalid, but referred to

tf.EagerSession(**options).close()
before = resident()
kept = hold()
if count > 1000:
    kept.clear()
assert resident() <= 1.1 * before + 16 * MIB, (before, resident())
"""


def run(program, *arguments):
    done = run_program(PREAMBLE + program, *arguments, timeout=300)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("mode", ["sync", "async"])
@pytest.mark.parametrize("strategy", NAMES)
def test_thousands_of_sessions_leave_nothing(strategy, mode):
    run(CYCLES, strategy, mode)


@pytest.mark.parametrize("strategy", NAMES)
def test_memory_of_large_values_goes_back_to_the_system(strategy):
    run(HELD, strategy, "sync", "1000000", "125")


@pytest.mark.parametrize("strategy", NAMES)
def test_memory_of_small_values_goes_back_to_the_system(strategy):
    run(HELD, strategy, "sync", "1000", "125000")


def test_memory_that_is_freed_after_the_close_is_not_kept(options):
    with tf.EagerSession(**options) as session:
        x = tf.zeros([1 << 16])
        array, late = x.numpy(), tf.zeros([10]).numpy()
    assert session.stats().exported_bytes == array.nbytes + late.nbytes
    del array, late
    stats = session.stats()
    assert (stats.exported_bytes, stats.pooled_bytes) == (0, 0)


def test_a_thousand_sessions_are_open_at_once(options):
    before = threads(), len(os.listdir("/proc/self/fd"))
    sessions = [tf.EagerSession(**options) for _ in range(1000)]
    values = []
    for number, session in enumerate(sessions):
        builder = session.op_builder("Const", "c").set_attr("dtype", tf.int32).set_attr("value", number)
        values.append(builder.build().output(0))
    assert tf.memory_info().sessions >= 1000
    assert [value.numpy() for value in values] == list(range(1000))
    for session in sessions:
        session.close()
        assert session.stats().live == 0
    assert threads_come_down_to(before[0])  # threads of earlier tests may end meanwhile
    assert len(os.listdir("/proc/self/fd")) == before[1]
