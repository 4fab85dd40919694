"""Unused memory is returned to the system: after a while, on request, and before memory runs out."""

import pytest
from programs import run_program
from watched_sessions import hold_of

import tinytf as tf

pytestmark = pytest.mark.hooks

MIB = 1 << 20
SECONDS = 1_000_000_000


def test_idle_memory_goes_back_with_time():
    with tf.EagerSession() as session:
        hold = hold_of(session)
        hold.pause_reaper()
        hold.set_fake_now_ns(0)
        values = [tf.zeros([1000]) for _ in range(10_000)]
        tf.zeros([20 * MIB]).close()
        del values
        session.collect()
        hold.step()
        assert session.stats().pooled_bytes >= 80 * MIB
        hold.set_fake_now_ns(10 * SECONDS)
        hold.step()
        assert session.stats().pooled_bytes <= 16 * MIB
        hold.resume()


def test_memory_of_changing_sizes_is_not_multiplied():
    with tf.EagerSession() as session:
        size = 1000
        for _ in range(10):
            values = [tf.zeros([size]) for _ in range(1000)]
            del values
            session.collect()
            size = size * 6 // 5
        stats = session.stats()
        assert stats.pooled_bytes <= 1.1 * stats.peak_bytes + 16 * MIB


# The address space beyond what the program already uses fits either the idle memory or the requested memory, not both.
NEEDS_IDLE_MEMORY = """
import resource, sys
import tinytf as tf

# Without a reaper, which would give back in the meantime what lies idle for long.
idle = tf.EagerSession(resource_cleanup_strategy=tf.EagerSession.ResourceCleanupStrategy.ON_SAFE_POINTS)
idle.__enter__()
tf.zeros([1]).close()
with open("/proc/self/statm") as file:
    taken = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + (1 << 30), -1))
values = [tf.zeros([1000]) for _ in range(50_000)] + [tf.zeros([1 << 27])]
del values
idle.collect()
assert idle.stats().pooled_bytes >= 650 << 20
if sys.argv[1] == "other":
    tf.EagerSession().__enter__()
tf.zeros([(1 << 27) + (1 << 25)]).close()
"""


@pytest.mark.parametrize("whose", ["own", "other"])
def test_idle_memory_is_used_before_memory_is_out(whose):
    done = run_program(NEEDS_IDLE_MEMORY, whose, timeout=300, environment={"MALLOC_ARENA_MAX": "2"})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("asynchronous", [False, True])
def test_trim_gives_back_what_waits(asynchronous):
    with tf.EagerSession(async_=asynchronous) as session:
        kept = tf.ones([1 << 20])
        tf.ones([1 << 20]).close()
        session.synchronize()
        assert session.trim() >= 4 * MIB
        assert session.stats().pooled_bytes == 0
        assert kept.numpy().sum() == 1 << 20
    assert session.trim() == 0
