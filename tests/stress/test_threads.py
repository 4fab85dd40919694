"""Python threads share one session, and also build and run graphs of their own."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import tinytf as tf

THREADS = 8
ROUNDS = 12 * max(1, int(os.environ.get("TINYTF_STRESS", "1")))


def _on_threads(work):
    """Runs work(0) … work(THREADS - 1) on threads that start together; raises their first exception."""
    start, errors = threading.Barrier(THREADS), []

    def guarded(t):
        start.wait()
        try:
            work(t)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(t,)) for t in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def _a_graph_of_its_own(t, i):
    """A small regression step in a fresh graph and session."""
    with tf.Graph().as_default(), tf.Session() as sess:
        w = tf.get_variable("w", initializer=float(t))
        x = tf.placeholder(tf.float32, [None], name="x")
        step = tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_mean(w * x))
        sess.run(tf.global_variables_initializer())
        sess.run(step, {x: [i, i + 2]})
        assert sess.run(w) == t - 0.5 * (i + 1)


def test_run_and_callables_and_other_graphs():
    x = tf.placeholder(tf.float32, [None, 16], name="x")
    y = tf.placeholder(tf.float32, [16, None], name="y")
    product = tf.matmul(x, y)
    parts = {"sum": tf.reduce_sum(x), "rows": [x[0], tf.shape(x)], "checked": tf.check_numerics(x, "not a number")}
    count = tf.get_variable("count", initializer=0.0, use_resource=True)
    plus = tf.assign_add(count, 1.0)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        multiply = sess.make_callable(product, [x, y])

        def work(t):
            for i in range(ROUNDS):
                a = np.full([4, 16], t + 1, np.float32)
                b = np.full([16, 3 + i % 2], i, np.float32)
                expected = np.full([4, 3 + i % 2], 16 * (t + 1) * i, np.float32)
                np.testing.assert_array_equal(multiply(a, b), expected)
                np.testing.assert_array_equal(sess.run(product, {x: a, y: b}), expected)
                assert sess.make_callable(parts["sum"], [x])(a) == a.sum()
                fetched = sess.run(parts, {x: a})
                assert fetched["sum"] == a.sum() and fetched["rows"][1].tolist() == [4, 16]
                with pytest.raises(tf.errors.InvalidArgumentError, match="not a number"):
                    sess.run(parts, {x: a * np.nan})
                sess.run(plus)
                _a_graph_of_its_own(t, i)

        _on_threads(work)
        assert sess.run(count) == THREADS * ROUNDS


def test_one_thread_extends_what_the_others_run():
    x = tf.placeholder(tf.float32, [], name="x")
    chain = [x + x]
    with tf.Session() as sess:

        def work(t):
            for i in range(ROUNDS):
                if t == 0:
                    with sess.graph.as_default():
                        chain.append(chain[-1] + x)
                else:
                    n = (7 * i + t) % len(chain)
                    assert sess.run([chain[n], chain[0]], {x: t}) == [t * (n + 2), 2 * t]

        _on_threads(work)


def test_close_ends_the_runs_of_all_threads():
    x = tf.placeholder(tf.float32, [64, 64], name="x")
    y = tf.matmul(tf.matmul(x, x), x)
    value = np.ones([64, 64], np.float32)
    sess = tf.Session()
    everybody_ran = threading.Barrier(THREADS)

    def work(t):
        sess.run(y, {x: value})
        everybody_ran.wait()
        if t == 0:
            sess.close()
            return
        with pytest.raises((RuntimeError, tf.errors.CancelledError)):
            while True:
                sess.run(y, {x: value})

    _on_threads(work)


_LEFT_RUNNING = """
import threading
import numpy as np
import tinytf as tf

x = tf.placeholder(tf.float32, [200, 200])
y = tf.matmul(x, x)
sess = tf.Session()
everybody_ran = threading.Barrier(5)

def work():
    value = np.ones([200, 200], np.float32)
    sess.run(y, {x: value})
    everybody_ran.wait()
    while True:
        sess.run(y, {x: value})

for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
everybody_ran.wait()
"""


def test_exit_is_silent_while_threads_run(tmp_path):
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", _LEFT_RUNNING], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
