"""The interpreter ends by every way out with the right exit code, nothing on stderr, and without a hang."""

import pytest
from programs import run_program

STRATEGIES = ["IN_BACKGROUND", "ON_SAFE_POINTS", "ON_SESSION_CLOSE"]

PREAMBLE = """
import builtins, os, sys, threading
import tinytf as tf
strategy = tf.EagerSession.ResourceCleanupStrategy.{strategy}
options = tf.EagerSession.options().resource_cleanup_strategy(strategy).async_({is_async})
session = tf.EagerSession.init_default(options)
tf.EagerSession.get_default().__enter__()
x = tf.constant([1.0, 2.0]) + 1.0
"""

# (program, exit code, expected part of stderr; "" if stderr must be empty)
WAYS_OUT = {
    "the end": ("pass", 0, ""),
    "sys.exit": ("sys.exit(3)", 3, ""),
    "an error": ("raise KeyError('the program')", 1, "KeyError: 'the program'"),
    "os._exit": ("os._exit(4)", 4, ""),
    "a cycle": ("cycle = [x]; cycle.append(cycle); del x", 0, ""),
    "builtins": ("builtins.kept = x; del x", 0, ""),
    "a module": ("sys.kept = [x, session]", 0, ""),
    "a weak reference": ("import weakref; r = weakref.ref(x, lambda r: None)", 0, ""),
    "a finalizer": (
        """
class Last:
    def __del__(self):
        try:
            self.x.numpy()
        except RuntimeError:
            pass
last = Last(); last.x = x
""",
        0,
        "",
    ),
    "an atexit handler": (
        "import atexit; atexit.register(lambda: (x + 1.0).numpy().tolist() == [3.0, 4.0] or os._exit(9))",
        0,
        "",
    ),
    "a daemon thread in operations": (
        """
import contextvars
began = threading.Event()
def work():
    y = x
    while True:
        y = tf.reshape(y * 1.5, [2]) - 1.0
        began.set()
threading.Thread(target=contextvars.copy_context().run, args=(work,), daemon=True).start()
began.wait()
""",
        0,
        "",
    ),
    "a daemon thread in a long operation": (
        """
import contextvars
began = threading.Event()
big = tf.zeros([700, 700])
def work():
    while True:
        y = tf.matmul(big, big)
        began.set()
threading.Thread(target=contextvars.copy_context().run, args=(work,), daemon=True).start()
began.wait()
""",
        0,
        "",
    ),
    "a daemon thread that waits in an operation": (
        """
import contextvars
queue = session.op_builder("FIFOQueueV2", "q").set_attr("component_types", [tf.float32]).build().output(0)
began = threading.Event()
def work():
    began.set()
    builder = session.op_builder("QueueDequeueV2", "take").add_input(queue)
    builder.set_attr("component_types", [tf.float32]).build()
threading.Thread(target=contextvars.copy_context().run, args=(work,), daemon=True).start()
began.wait()
""",
        0,
        "",
    ),
}


def run(program, *flags, timeout=120):
    return run_program(program, flags=flags, timeout=timeout)


@pytest.mark.parametrize("way", WAYS_OUT)
@pytest.mark.parametrize(
    ("strategy", "is_async"), [(s, a) for s in STRATEGIES for a in (False, True)], ids=lambda value: str(value)
)
def test_a_way_out(way, strategy, is_async):
    program, code, text = WAYS_OUT[way]
    done = run(PREAMBLE.format(strategy=strategy, is_async=is_async) + program)
    assert done.returncode == code, done.stderr
    if text:
        assert done.stderr.rstrip().endswith(text)
        assert done.stderr.count("Traceback") == 1
    else:
        assert done.stderr == ""


def test_a_session_that_is_open_at_the_end_warns_if_asked_to():
    program = "import tinytf as tf\nsession = tf.EagerSession()\nwith tf.EagerSession():\n    tf.constant(1.0)\n"
    done = run(program, "-W", "default")
    assert done.returncode == 0
    [line] = [line for line in done.stderr.splitlines() if "ResourceWarning" in line]
    assert "<string>:2" in line
    quiet = run(program)
    assert (quiet.returncode, quiet.stderr) == (0, "")


def test_sessions_close_before_the_engine_and_after_the_programs_handlers():
    program = """
import atexit
import tinytf as tf
session = tf.EagerSession()
tensor = session.op_builder("Const", "c").set_attr("dtype", tf.float32).set_attr("value", [1.0]).build().output(0)
atexit.register(lambda: print(session.closed, tensor.numpy()))
"""
    done = run(program)
    assert (done.returncode, done.stdout, done.stderr) == (0, "False [1.]\n", "")


def test_operations_of_all_sessions_together_get_little_time():
    program = """
import types
import tinytf as tf
from tinytf._src.eager import session as sessions

clock, given = [0.0], []
sessions.time = types.SimpleNamespace(monotonic=lambda: clock[0])

def close(self, seconds):
    given.append(seconds)
    clock[0] += 0.2
    self._core.close()
    if len(given) == 4:
        print([round(seconds, 1) for seconds in given])

tf.EagerSession._close = close
kept = [tf.EagerSession() for _ in range(4)]
"""
    done = run(program)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[0.5, 0.3, 0.1, 0.0]\n", "")


def test_importing_starts_no_thread():
    program = """
import os, numpy
before = len(os.listdir("/proc/self/task"))
import tinytf, tinytf.eager
print(len(os.listdir("/proc/self/task")) - before)
"""
    assert run(program).stdout == "0\n"
