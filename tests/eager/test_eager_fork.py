"""Forks while other threads use a session: the child reads existing values, runs operations, closes and exits."""

import os

import pytest
from programs import run_program

FORKS = int(os.environ.get("TINYTF_FORKS", "5"))

CHURN = """
import contextvars, os, sys, threading, warnings
warnings.simplefilter("ignore")
import numpy as np
import tinytf as tf

forks = int(sys.argv[1])
strategy = tf.EagerSession.ResourceCleanupStrategy[sys.argv[2]]
keeps = strategy == tf.EagerSession.ResourceCleanupStrategy.ON_SESSION_CLOSE
session = tf.EagerSession(resource_cleanup_strategy=strategy, async_=sys.argv[3] == "async", hard_handles=2000)
session.__enter__()
kept = tf.constant(np.arange(10_000, dtype=np.float32)) * 2.0
kept.numpy()
zeros, one = tf.zeros([100]), tf.constant(1.0)
stop = threading.Event()

def churn():
    rounds = 0
    while not stop.is_set():
        made = [zeros + one]
        for _ in range(10):
            made.append(made[-1] + one)
        made[-1].numpy()  # else threads of an asynchronous session call operations faster than it runs them
        if keeps and rounds % 1000:  # else memory is out before all forks are done
            for x in made:
                x.close()
        del made[:]
        rounds += 1

threads = [threading.Thread(target=contextvars.copy_context().run, args=(churn,)) for _ in range(4)]
for thread in threads:
    thread.start()
for _ in range(forks):
    child = os.fork()
    if child == 0:
        assert kept.numpy()[1] == 2.0
        assert session.stats().fork_generation == 1
        assert (tf.constant([1.0]) + kept[1]).numpy() == 3.0
        with tf.EagerSession() as other:
            assert (tf.constant(1.0) + 1.0).numpy() == 2.0
        session.flush()
        session.close()
        stats = session.stats()
        assert (stats.live, stats.queued, stats.retained) == (0, 0, 0), stats
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status != 0:
        print("child", status)
        os._exit(1)
stop.set()
for thread in threads:
    thread.join()
session.__exit__(None, None, None)
stats = session.stats()
assert stats.created == stats.freed + stats.invalidated, stats
"""


@pytest.mark.parametrize("mode", ["sync", "async"])
@pytest.mark.parametrize("strategy", ["IN_BACKGROUND", "ON_SAFE_POINTS", "ON_SESSION_CLOSE"])
def test_forks_in_churn(strategy, mode):
    done = run_program(CHURN, str(FORKS), strategy, mode, timeout=120 + 5 * FORKS)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


IDLE = """
import os
import tinytf as tf

with tf.EagerSession() as session:
    x = tf.zeros([1 << 16])
    dropped = tf.zeros([1 << 16])
    x.numpy(), dropped.numpy()
    del dropped
    child = os.fork()
    if child == 0:
        tf.zeros([1 << 16])
        session.flush()
        assert session.stats().reaper.alive  # it has started anew
        assert session.stats().live == 1
        session.close()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert status == 0, status
"""


def test_the_childs_reaper_starts_anew():
    done = run_program(IDLE)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_child_that_exits_by_itself_closes_its_sessions():
    program = """
import os, sys
import tinytf as tf
session = tf.EagerSession.get_default()
session.__enter__()
x = tf.constant([1.0])
child = os.fork()
y = x + 1.0
assert y.numpy() == 2.0
if child:
    _, status = os.waitpid(child, 0)
    sys.exit(os.waitstatus_to_exitcode(status))
sys.exit(5)
"""
    done = run_program(program)
    assert (done.returncode, done.stderr) == (5, "")
