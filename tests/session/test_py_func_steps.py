"""`tf.py_func` functions are called once per step, from any thread and also recursively; stateless functions of
constants once per session.
"""

import asyncio
import os
import signal
import threading

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.values.constant_value import constant_value


@pytest.fixture
def calls():
    """The arguments of the calls of `counted`, in order."""
    return []


@pytest.fixture
def counted(calls):
    def func(x):
        calls.append(float(x))
        return x + np.float32(1)  # NumPy before 2 makes float64 of a float32 scalar and a Python number

    return func


def test_a_function_is_called_once_in_each_step(sess, counted, calls):
    x = tf.placeholder(tf.float32, [])
    y = tf.py_func(counted, [x], tf.float32)
    z = y * 2 + y
    assert sess.run([y, z, y], {x: 1}) == [2, 6, 2]
    assert sess.run(z, {x: 2}) == 9
    assert sess.run(y, {y: 5.0}) == 5
    assert calls == [1, 2]


@pytest.mark.parametrize("stateful", [True, False])
def test_building_calls_nothing_and_planning_only_stateless_functions_of_constants(sess, counted, calls, stateful):
    x = tf.constant(3.0)
    y = tf.py_func(counted, [x], tf.float32, stateful=stateful)
    tf.reshape(tf.range(4.0), tf.cast(y, tf.int32)[tf.newaxis])
    assert constant_value(y) is None
    assert calls == []
    call = sess.make_callable(y)
    assert calls == ([] if stateful else [3])
    assert [call(), call()] == [4, 4]
    assert calls == ([3, 3] if stateful else [3])


def test_a_stateless_function_that_nobody_reads(sess, counted, calls):
    x = tf.placeholder(tf.float32, [])
    one = tf.py_func(counted, [x], tf.float32, stateful=False)
    with tf.control_dependencies([one]):
        y = tf.identity(x)
    assert sess.run(y, {x: 1}) == 1 and calls == []
    two = tf.py_func(counted, [x], tf.float32)
    with tf.control_dependencies([two]):
        y = tf.identity(x)
    assert sess.run(y, {x: 1}) == 1 and calls == [1]


def test_equal_calls_of_a_stateless_function_are_one(sess, counted, calls):
    x = tf.placeholder(tf.float32, [])
    for stateful in (True, False):
        y = tf.py_func(counted, [x], tf.float32, stateful=stateful)
        twin = tf.get_default_graph().create_op(
            y.op.type, [x], attrs={"token": y.op.get_attr("token"), "Tin": [tf.float32], "Tout": [tf.float32]}
        )
        assert sess.run([y, twin.outputs[0]], {x: 1}) == [2, 2]
    assert calls == [1, 1, 1]


@pytest.mark.parametrize("nodes_between", [0, 3])
def test_functions_of_a_step_may_wait_for_each_other(sess, nodes_between):
    meeting = threading.Barrier(2)

    def meet(x):
        meeting.wait(timeout=60)
        return x

    x = tf.placeholder(tf.float32, [])
    y = x
    for _ in range(nodes_between):
        y = tf.negative(y)
    together = [tf.py_func(meet, [x], tf.float32), tf.py_func(meet, [y], tf.float32)]
    for _ in range(20):
        assert sess.run(together, {x: 2.0}) == [2.0, sess.run(y, {x: 2.0})]


def test_functions_that_follow_each_other_run_on_the_calling_thread(sess):
    def thread(_):
        return threading.get_ident()

    first = tf.py_func(thread, [0], tf.int64)
    second = tf.py_func(thread, [first], tf.int64)
    assert sess.run([first, second]) == [threading.get_ident()] * 2


def test_a_failing_function_runs_again_in_the_next_step(sess):
    tries = []

    def func():
        tries.append(1)
        if len(tries) < 3:
            raise StopIteration
        return 7

    y = tf.py_func(func, [], tf.int64)
    for _ in range(2):
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(y)
    assert sess.run(y) == 7


def test_functions_in_a_chain(sess):
    y = tf.constant(0)
    for _ in range(200):
        y = tf.py_func(lambda v: v + np.int32(1), [y], tf.int32)
    assert sess.run(y) == 200


@pytest.mark.parametrize("threads", [2, 8])
def test_steps_of_several_threads(sess, threads):
    x = tf.placeholder(tf.float64, [None])
    y = tf.py_func(lambda a: a * 2, [x + 1.0], tf.float64) + 1.0
    run = sess.make_callable(y, [x])
    wrong = []

    def work(number):
        fed = np.full(number * 100 + 1, float(number))
        for _ in range(100):
            if run(fed).tolist() != (fed * 2 + 3).tolist():
                wrong.append(number)

    workers = [threading.Thread(target=work, args=(i,)) for i in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert wrong == []


def test_a_function_runs_in_several_steps_at_a_time(sess):
    """Each call waits for the other."""
    together = threading.Barrier(2, timeout=60)
    y = tf.py_func(lambda: together.wait(), [], tf.int64)
    results = []
    workers = [threading.Thread(target=lambda: results.append(int(sess.run(y)))) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(results) == [0, 1]


def test_functions_of_one_step_may_share_the_work_among_threads(sess):
    """Threads are used once measurements show that steps gain from them; here the functions mostly wait."""
    event = threading.Event()
    names = set()

    def func(x):
        names.add(threading.get_ident())
        event.wait(0.002)
        return x + 1

    x = tf.placeholder(tf.float64, [1000])
    y = tf.add_n([tf.py_func(func, [x + float(i)], tf.float64) for i in range(8)])
    fed = np.arange(1000.0)
    for _ in range(10):
        assert sess.run(y, {x: fed}).tolist() == (8 * fed + 36).tolist()
    assert threading.get_ident() in names


# -- Nested steps ------------------------------------------------------------------------------------------------------


def test_a_function_that_runs_the_session(sess):
    x = tf.placeholder(tf.float32, [])
    inner = x * 3
    y = tf.py_func(lambda v: sess.run(inner, {x: v}), [x + 1], tf.float32)
    assert sess.run([y, inner], {x: 1}) == [6, 3]


def test_recursion(sess):
    n = tf.placeholder(tf.int64, [])
    y = tf.py_func(lambda v: np.int64(1) if v == 0 else v * sess.run(y, {n: v - 1}), [n], tf.int64)
    assert sess.run(y, {n: 15}) == 1307674368000


def test_a_function_with_a_graph_of_its_own(sess):
    def func(v):
        with tf.Graph().as_default(), tf.Session() as own:
            return own.run(tf.constant(v) * 2)

    assert sess.run(tf.py_func(func, [3.0], tf.float32)) == 6


def test_a_function_that_extends_the_graph(sess):
    graph = tf.get_default_graph()

    def func(v):
        with graph.as_default():
            return sess.run(tf.constant(v) * 2)

    y = tf.py_func(func, [3.0], tf.float32)
    assert [sess.run(y) for _ in range(3)] == [6, 6, 6]


def test_a_function_that_feeds_a_queue_which_the_step_waits_for(sess, queue):
    value = tf.placeholder(tf.float32, [])
    put = queue.enqueue(value)
    filled = tf.py_func(lambda: sess.run(put, {value: 5.0}), [], [])
    with tf.control_dependencies([filled]):
        out = queue.dequeue()
    assert sess.run(out) == 5


def test_a_function_that_waits_for_a_queue(sess, queue):
    out, put = queue.dequeue(), queue.enqueue(4.0)
    y = tf.py_func(lambda: sess.run(out), [], tf.float32)
    results = []
    waiting = threading.Thread(target=lambda: results.append(sess.run(y)))
    waiting.start()
    sess.run(put)
    waiting.join()
    assert results == [4]


def test_an_error_of_an_inner_step(sess):
    inner = tf.gather([1, 2], tf.placeholder_with_default(5, []), name="inner")
    y = tf.py_func(lambda: sess.run(inner), [], tf.int32, name="outer")
    with pytest.raises(tf.errors.UnknownError) as caught:
        sess.run(y)
    assert caught.value.op.name == "outer" and type(caught.value.__cause__) is tf.errors.InvalidArgumentError
    assert caught.value.__cause__.op.name == "inner"


def test_a_function_that_closes_the_session():
    sess = tf.Session()
    y = tf.py_func(sess.close, [], [])
    with pytest.raises(tf.errors.CancelledError):
        sess.run(y)
    with pytest.raises(RuntimeError, match="^Attempted to use a closed Session"):
        sess.run(y)


# -- Other kinds of runs ---------------------------------------------------------------------------------------------


def test_run_async(sess):
    y = tf.py_func(lambda x: x + x, [1.0], tf.float32)

    async def several():
        return await asyncio.gather(*[sess.run_async(y) for _ in range(5)])

    assert asyncio.run(several()) == [2] * 5


def test_partial_run(sess):
    x, z = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    y = tf.py_func(lambda v: v + v, [x], tf.float32)
    w = tf.py_func(lambda a, b: a * b, [y, z], tf.float32)
    handle = sess.partial_run_setup([y, w], [x, z])
    assert sess.partial_run(handle, y, {x: 1}) == 2
    assert sess.partial_run(handle, w, {z: 4}) == 8


def test_a_traced_step_shows_the_function(sess):
    y = tf.py_func(lambda v: v + v, [1.0], tf.float32, name="call")
    metadata = tf.RunMetadata()
    sess.run(y, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
    nodes = [node.node_name for device in metadata.step_stats.dev_stats for node in device.node_stats]
    assert "call" in nodes


def test_ctrl_c_in_a_function(sess):
    """An exception of the signal handler propagates from `run`; the session stays usable."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        went_on = []

        def func():
            os.kill(os.getpid(), signal.SIGINT)
            for _ in range(10**8):
                pass
            went_on.append(1)
            return 1

        y = tf.py_func(func, [], tf.int64)
        with pytest.raises(KeyboardInterrupt):
            sess.run(y)
        assert went_on == [] and sess.run(tf.constant(2)) == 2
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("inputs", [[], [1, 2.0], ["text"]])
def test_a_stateless_function_of_constants_is_called_once_in_a_session(inputs):
    numbers = []

    def count(*_):
        numbers.append(len(numbers) + 1)
        return np.int64(numbers[-1])

    y = tf.py_func(count, [tf.identity(tf.constant(x)) for x in inputs], tf.int64, stateful=False)
    for first in (1, 2):  # as in TensorFlow 1.15.5, once per session
        with tf.Session() as session:
            assert [session.run(y) for _ in range(3)] == [first] * 3
    assert len(numbers) == 2


def test_a_stateless_function_of_what_changes_is_called_in_each_step(sess):
    numbers = []

    def count(x):
        numbers.append(x)
        return np.int64(len(numbers))

    x = tf.placeholder(tf.float32, [])
    y = tf.py_func(count, [x], tf.int64, stateful=False)
    z = tf.py_func(count, [tf.random_uniform([])], tf.int64, stateful=False)
    assert [sess.run(y, {x: 1.0}) for _ in range(2)] == [1, 2]
    assert [sess.run(z) for _ in range(2)] == [3, 4]


def test_a_stateless_function_of_constants_that_fails_fails_each_step(sess):
    def fail():
        raise ValueError("no number")

    y = tf.py_func(fail, [], tf.int64, stateful=False)
    for _ in range(2):
        with pytest.raises(tf.errors.InvalidArgumentError, match="no number") as caught:
            sess.run(y)
        assert isinstance(caught.value.__cause__, ValueError)


def test_a_stateless_function_of_constants_may_run_steps(sess):
    one = tf.constant(1.0) + tf.placeholder_with_default(1.0, [])
    y = tf.py_func(lambda: sess.run(one), [], tf.float32, stateful=False)
    assert sess.run(y) == 2.0
