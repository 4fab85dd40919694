"""Programs with open sessions end with their own exit code, quietly and at once.

Each case runs in a separate process with ResourceWarnings shown; an alarm ends it if it hangs.
"""

import subprocess
import sys

import pytest

_START = """
import atexit, builtins, gc, os, signal, sys, threading
signal.alarm(60)
import numpy as np
import tinytf as tf

x = tf.placeholder(tf.float32, [None, None])
square = tf.matmul(x, x)
v = tf.Variable(tf.zeros([1000]), use_resource=True)
add = v.assign_add(tf.ones([1000]))
large = np.ones([512, 512], np.float32)

def started(sess):
    sess.run(v.initializer)
    sess.run([square, add], {x: large})  # large enough to be split: starts the threads of the pool
    return sess

def in_a_loop(sess):
    \"\"\"Starts a daemon thread that runs steps for ever; returns when it has begun.\"\"\"
    begun = threading.Event()
    def work():
        while True:
            sess.run([square, add], {x: large})
            begun.set()
    threading.Thread(target=work, daemon=True).start()
    begun.wait()

def waits(sess):
    \"\"\"Starts a daemon thread that waits for an element of an empty queue; returns when it does, or soon will.\"\"\"
    queue = tf.FIFOQueue(1, tf.int32)
    put, element = queue.enqueue(1), queue.dequeue()
    begun = threading.Event()
    def work():
        sess.run(element)
        begun.set()
        sess.run(element)
    threading.Thread(target=work, daemon=True).start()
    sess.run(put)
    begun.wait()
"""

_SESSIONS = {
    "global": "sess = started(tf.Session())",
    "interactive": "sess = started(tf.InteractiveSession())",
    "interactive without a name": "started(tf.InteractiveSession(graph=tf.get_default_graph()))",
    "entered": "sess = started(tf.Session()); sess.__enter__()",
    "in a cycle": "sess = started(tf.Session()); sess.itself = sess; sess.run_again = sess.run; del sess",
    "on builtins": "builtins.held = started(tf.Session())",
    "on sys": "sys.held = started(tf.InteractiveSession())",
    "of a callable": "builtins.held = started(tf.Session()).make_callable(square, [x])",
    "in a default argument": "def f(sess=started(tf.Session())): pass",
    "in a generator": "def g():\n    with tf.Session() as sess:\n        yield started(sess)\nheld = g(); next(held)",
    "of a thread": "t = threading.Thread(target=lambda: started(tf.InteractiveSession(graph=v.graph))); t.start(); t.join()",
    "in thread-local data": "local = threading.local(); local.sess = started(tf.Session())",
    "in a step": "sess = started(tf.Session()); in_a_loop(sess)",
    "in a step, twice": "sess = started(tf.InteractiveSession()); in_a_loop(sess); in_a_loop(sess)",
    "in a step, held by it": "in_a_loop(started(tf.Session()))",
    "in a step that waits": "sess = started(tf.Session()); waits(sess)",
    "in a step that waits, held by it": "waits(started(tf.InteractiveSession()))",
    "closed at exit": "sess = started(tf.Session()); atexit.register(sess.close)",
    "run at exit": "sess = started(tf.Session()); atexit.register(lambda: sess.run([square, add], {x: large}))",
    "made at exit": "atexit.register(lambda: started(tf.Session()).close())",
    "with an error at exit": """
def at_exit():
    try:
        with tf.Session() as sess:
            started(sess)
            raise KeyError
    except KeyError:
        pass
atexit.register(at_exit)""",
    "of a coroutine": "import asyncio; sess = tf.Session(); asyncio.run(sess.run_async(tf.constant(1)))",
    "of a coroutine that still waits": """
import asyncio
sess, element = tf.Session(), tf.FIFOQueue(1, tf.int32).dequeue()
loop = asyncio.new_event_loop()
builtins.held = loop, loop.create_task(sess.run_async(element))
loop.run_until_complete(asyncio.sleep(0))""",
}
_ENDS = {
    "": (0, ""),
    "sys.exit(3)": (3, ""),
    "os._exit(4)": (4, ""),
    "raise KeyError('the end')": (1, "KeyError: 'the end'\n"),
}
# Each session with a normal end, and some with every kind of end.
_MATRIX = [(session, "") for session in _SESSIONS] + [
    (session, end)
    for session in ("global", "interactive", "in a cycle", "on builtins", "in a generator", "in a step")
    for end in _ENDS
    if end
]


def _run(program, tmp_path, *options):
    return subprocess.run(
        [sys.executable, *options, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("session, end", _MATRIX, ids=lambda value: value or "the last line")
def test_end(tmp_path, session, end):
    done = _run(f"{_START}\n{_SESSIONS[session]}\n{end}\n", tmp_path)
    code, message = _ENDS[end]
    assert done.returncode == code and done.stdout == ""
    if not message:
        assert done.stderr == ""
    else:
        assert done.stderr.startswith("Traceback (most recent call last):\n  File ") and done.stderr.endswith(message)
        frames = [line for line in done.stderr.splitlines() if not line.startswith("    ")]  # not 3.13's source lines
        assert len(frames) == 3, done.stderr


@pytest.mark.parametrize("session", ["global", "interactive", "in a cycle", "in a generator", "in a step"])
def test_end_with_resource_warnings_shown(tmp_path, session):
    done = _run(f"{_START}\n{_SESSIONS[session]}\n", tmp_path, "-W", "default::ResourceWarning")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_handler_from_before_the_import_may_still_run_steps(tmp_path):
    before = "import atexit; atexit.register(lambda: print(sess.run(square, {x: large})[0, 0]))\n"
    done = _run(before + _START + _SESSIONS["global"], tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "512.0\n", "")
