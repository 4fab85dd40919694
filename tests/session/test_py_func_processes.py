"""`tf.py_func` functions in processes that fork or end. Each case runs in a separate process with an alarm."""

import subprocess
import sys

import pytest

_START = """
import multiprocessing, os, signal, sys, threading, time, traceback, warnings
import numpy as np
import tinytf as tf

warnings.simplefilter("ignore", DeprecationWarning)  # of forking with threads, in later Pythons
signal.alarm(60)
x = tf.placeholder(tf.float64, [None])
double = tf.py_func(lambda a: a * 2, [x + 1.0], tf.float64)
inside = threading.Event()

def block(*_):
    inside.set()
    threading.Event().wait()

def pause(a):
    time.sleep(0.001)
    return a

# Steps that are found to gain from threads.
several = tf.add_n([tf.py_func(pause, [x + float(i)], tf.float64) for i in range(4)])
blocked = tf.py_func(block, [], [])
sess = tf.Session()
fed = np.ones(1000)
assert sess.run(double, {x: fed}).sum() == 4000

def in_background(call):
    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    return thread

def in_a_loop(fetches):
    begun = threading.Semaphore(0)
    def work():
        try:
            while True:
                sess.run(fetches, {x: fed})
                begun.release()
        except (tf.errors.CancelledError, tf.errors.UnknownError, RuntimeError) as e:
            # The program has closed the session; Unknown is what a function yields in which a step was cancelled.
            assert "cancelled" in str(e) or "closed" in str(e), e
    in_background(work)
    for _ in range(5):
        begun.acquire()

def ends_well(child):
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    signal.alarm(20)
    try:
        child()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)
"""


def _run(program, tmp_path, code=0):
    done = subprocess.run(
        [sys.executable, "-c", _START + program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


_STATES = {
    "after steps": "",
    "in a function": "in_background(lambda: sess.run(blocked)); inside.wait()",
    "in a function of two sessions": """
in_background(lambda: sess.run(blocked)); inside.wait()
other = tf.Session(); in_background(lambda: other.run(blocked))""",
    "in steps": "in_a_loop(double)",
    "in steps of several threads": "in_a_loop(several)",
    "in steps of several threads, twice": "in_a_loop(several); in_a_loop([several, double])",
    "in a function on a thread of the engine": """
def block_elsewhere(a):
    if threading.current_thread().name.startswith("Dummy"):
        block()
    time.sleep(0.001)
    return a
elsewhere = tf.add_n([tf.py_func(block_elsewhere, [x + float(i)], tf.float64) for i in range(4)])
def work():
    while True:
        sess.run(elsewhere, {x: fed})
in_background(work); assert inside.wait(20) or os.cpu_count() == 1""",
    "with a session in a function": """
def nested(a):
    return sess.run(double, {x: a})
in_a_loop(tf.py_func(nested, [x], tf.float64))""",
    "with an error": """
failing = tf.py_func(lambda: 1 / 0, [], tf.float64)
try:
    sess.run(failing)
except tf.errors.UnknownError as e:
    kept = e""",
    "with arrays kept": "kept = []; sess.run(tf.py_func(lambda a: kept.append(a), [tf.range(100000) * 2], []))",
}


@pytest.mark.parametrize("end", ["", "sys.exit(3)", "sess.close()"], ids=lambda end: end or "the last line")
@pytest.mark.parametrize("state", _STATES)
def test_end(tmp_path, state, end):
    if end == "sess.close()" and state.startswith("in "):
        end = ""  # closing waits for the function, possibly forever
    _run(f"{_STATES[state]}\n{end}\n", tmp_path, 3 if "3" in end else 0)


def test_a_function_may_still_run_at_exit(tmp_path):
    _run("import atexit; atexit.register(lambda: sess.run(several, {x: fed}))\nin_a_loop(several)", tmp_path)


@pytest.mark.parametrize("state", ["", "in_a_loop(double)", "in_a_loop(several)", _STATES["in a function"]])
def test_children(tmp_path, state):
    _run(
        f"""
def child():
    assert sess.run(double, {{x: fed}}).sum() == 4000
    assert sess.run(several, {{x: fed}}).sum() == 10000
    with tf.Graph().as_default(), tf.Session() as own:
        assert own.run(tf.py_func(lambda: 7, [], tf.int64)) == 7

{state}
for i in range(20):
    assert ends_well(child), i
""",
        tmp_path,
    )


def test_a_function_that_forks(tmp_path):
    _run(
        """
def func():
    assert ends_well(lambda: sess.run(double, {x: fed}))
    context = multiprocessing.get_context("fork")
    process = context.Process(target=os._exit, args=(5,))
    process.start()
    process.join()
    return process.exitcode

y = tf.py_func(func, [], tf.int64)
for _ in range(3):
    assert sess.run(y) == 5
sess.close()
""",
        tmp_path,
    )
