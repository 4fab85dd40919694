"""A child forked while asynchronous operations are pending can read their values, because its threads are restarted."""

import pytest
from programs import run_program

pytestmark = pytest.mark.hooks

# In the parent the operations are certainly pending: the first one waits for a queue element that is enqueued after the
# fork.
PROGRAM = """
import os, sys, threading
import tinytf as tf
from tinytf import _core

session = tf.EagerSession(async_=True)
session.__enter__()
come, go_on = threading.Event(), threading.Event()
parent = os.getpid()

def hold(session):
    _core.testing.EagerTesting(session._core).push_node(lambda: (come.set(), go_on.wait()))
    come.wait()

x = tf.constant([1.0, 2.0])
x.numpy()
{pending}
child = os.fork()
if child == 0:
    {read}
    os._exit(0)
_, status = os.waitpid(child, 0)
go_on.set()
assert status == 0, status
session.close()
"""

CASES = {
    "numpy": ("hold(session); y = x * 2.0", "assert y.numpy().tolist() == [2.0, 4.0]"),
    "a chain": ("hold(session); y = x\nfor _ in range(10): y = y * 2.0", "assert y.numpy()[0] == 1024.0"),
    "shape": ("hold(session); y = x * 2.0", "assert y.shape.as_list() == [2]"),
    "memoryview": ("hold(session); y = x * 2.0", "assert memoryview(y).tolist() == [2.0, 4.0]"),
    "detach": ("hold(session); y = x * 2.0", "assert y.detach().numpy().tolist() == [2.0, 4.0]"),
    "an operation on it": ("hold(session); y = x * 2.0", "assert (y + 1.0).numpy().tolist() == [3.0, 5.0]"),
    "another session's operand": (
        "hold(session); y = x * 2.0\nother = tf.EagerSession(async_=True); other.__enter__(); z = y + 1.0; w = z * 2.0",
        "assert w.numpy().tolist() == [6.0, 10.0]",
    ),
    "a synchronous session's operand": (
        "hold(session); y = x * 2.0",
        "other = tf.EagerSession(); other.__enter__(); assert (y + 1.0).numpy().tolist() == [3.0, 5.0]",
    ),
    "close": ("hold(session); y = x * 2.0", "session.close()"),
    "what a node waits for": (
        "other = tf.EagerSession(async_=True); other.__enter__(); hold(other); y = x * 2.0\n"
        "_core.enter_session(session, session._core); z = y + 1.0; w = z * 2.0",
        "assert w.numpy().tolist() == [6.0, 10.0]",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_child_reads_what_was_pending(case):
    pending, read = CASES[case]
    program = PROGRAM.replace("{pending}", pending).replace("{read}", read)
    done = run_program(program)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
