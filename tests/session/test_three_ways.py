"""One computation with three ways of managing the session; nothing is leaked."""

import gc
import subprocess
import sys

import tinytf as tf
from tinytf import _core
from tinytf._src.session import lifetime

_PROGRAM = """
import tinytf as tf

a = tf.constant([1.0, 2.0])
b = tf.constant([2.0, 3.0])
c = a + b

sess = tf.Session()
print(sess.run(c))
sess.close()

sess = tf.Session()
with sess.as_default():
    print(c.eval())
sess.close()

sess = tf.InteractiveSession()
print(c.eval())
sess.close()
"""


def test_as_a_program(tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", _PROGRAM], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "[3. 5.]\n" * 3, "")


def test_nothing_is_left(capsys):
    gc.collect()
    buffers = _core.live_buffers()  # the fixture of all tests waits for threads to end
    open_before = len(lifetime.open_sessions())
    with tf.Graph().as_default():
        exec(compile(_PROGRAM, "<program>", "exec"), {})
    assert capsys.readouterr().out == "[3. 5.]\n" * 3
    gc.collect()
    assert _core.live_buffers() == buffers
    assert len(lifetime.open_sessions()) == open_before
    assert tf.get_default_session() is None
