"""Programs that add nodes in their training loop are warned once; others never are."""

import threading

import numpy as np
import pytest
from places import place_here

import tinytf as tf
from tinytf._src.debug.growth import REPETITIONS
from tinytf._src.framework.graph.growth_report import GrowthReport


@pytest.fixture
def warnings(caplog):
    """Returns a function that lists the warnings about growing graphs so far."""
    return lambda: [r.getMessage() for r in caplog.records if "grows inside a loop" in r.getMessage()]


def test_a_loop_that_assigns(warnings):
    v = tf.Variable(0.0, name="v")
    with tf.Session() as sess:
        sess.run(v.initializer)
        place = place_here(2)
        for i in range(3 * REPETITIONS):
            sess.run(tf.assign(v, float(i)))
            assert len(warnings()) == (i + 1 >= REPETITIONS)
    (message,) = warnings()
    assert (
        f"{place} added the same nodes before each of {REPETITIONS} runs, 2 nodes per run there and 2 in all" in message
    )


def test_a_loop_that_goes_on_from_its_last_node(warnings):
    x = tf.constant(1.0)
    with tf.Session() as sess:
        for _ in range(2 * REPETITIONS):
            x = x + 1.0
            sess.run(x)
    assert len(warnings()) == 1


def test_a_loop_that_makes_its_sessions(warnings):
    x = tf.placeholder(tf.float32, [3])
    for i in range(2 * REPETITIONS):
        with tf.Session() as sess:
            sess.run(x * i, {x: np.ones(3)})
    assert len(warnings()) == 1


def test_a_loop_that_makes_callables(warnings):
    x = tf.Variable(1.0)
    with tf.Session() as sess:
        sess.run(x.initializer)
        for i in range(2 * REPETITIONS):
            sess.make_callable(x + i)()
    assert len(warnings()) == 1


def test_a_loop_with_runs_that_find_nothing_new(warnings):
    x = tf.placeholder(tf.float32, [3])
    step = x * 2.0
    with tf.Session() as sess:
        for _ in range(2 * REPETITIONS):
            for _ in range(5):
                sess.run(step, {x: np.ones(3)})
            sess.run({"loss": tf.reduce_sum(step)}, {x: np.ones(3)})
    assert len(warnings()) == 1


def test_a_loop_that_builds_a_whole_model(warnings):
    x = tf.placeholder(tf.float32, [None, 3])
    w = tf.Variable(np.ones([3, 2], np.float32))

    place = place_here(6)

    def model():
        y = x
        for _ in range(10):
            y = tf.nn.relu(tf.matmul(tf.matmul(y, w), w, transpose_b=True) + 1.0)
        return tf.gradients(y, w)

    with tf.Session() as sess:
        sess.run(w.initializer)
        for _ in range(REPETITIONS):
            sess.run(model(), {x: np.ones([2, 3])})
    (message,) = warnings()
    assert place in message


def test_threads_that_add_in_turn(warnings):
    x = tf.placeholder(tf.float32, [3])
    lock = threading.Lock()
    with tf.Session() as sess:
        sess.run(x * 0, {x: np.ones(3)})
        place = place_here(5)

        def work():
            for i in range(REPETITIONS):
                with lock, sess.graph.as_default():
                    y = x * i
                sess.run(y, {x: np.ones(3)})

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sess.graph.growth_report().lines == {place: 2 * 3 * REPETITIONS}
    assert len(warnings()) <= 1  # nodes of another thread may come in between


# -- No false alarms ---------------------------------------------------------------------------------------------------


def test_phases_of_building_are_no_loop(warnings):
    with tf.Session() as sess:
        for phase in range(3):
            y = tf.constant(float(phase))
            for _ in range(500):
                y = y + 1.0
            v = tf.Variable(y)
            sess.run(tf.global_variables_initializer())
            for _ in range(100):
                sess.run(v)
    assert not warnings()


def test_something_for_each_variable_is_bounded(warnings):
    variables = [tf.Variable(np.ones(3, np.float32)) for _ in range(3 * REPETITIONS)]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        later = [v * 2.0 for v in variables]  # created between runs, all at once
        for v, double in zip(variables, later):
            value = tf.placeholder(tf.float32, [3])
            sess.run(tf.assign(v, value), {value: np.zeros(3)})
            sess.run(tf.reduce_mean(double))
    assert not warnings()


def test_something_for_each_shape_is_bounded(warnings):
    w = tf.Variable(np.ones([4, 2], np.float32))
    made = {}
    with tf.Session() as sess:
        sess.run(w.initializer)
        for i in range(10 * REPETITIONS):
            rows = i % (3 * REPETITIONS) + 1
            if rows not in made:
                x = tf.placeholder(tf.float32, [rows, 4])
                made[rows] = x, tf.matmul(x, w)
            x, y = made[rows]
            sess.run(y, {x: np.ones([rows, 4])})
    assert not warnings()


def test_a_program_without_a_loop_is_bounded(warnings):
    """As when a user types one line after the other."""
    source = "v = tf.Variable(1.0)\nsess.run(v.initializer)\n" + "show(v + 1.0)\n" * (3 * REPETITIONS)
    with tf.Session() as sess:
        exec(source, {"tf": tf, "sess": sess, "show": lambda x: sess.run(tf.reduce_mean(x))})
    assert not warnings()


# -- The report --------------------------------------------------------------------------------------------------------


def test_report():
    graph = tf.get_default_graph()
    assert str(graph.growth_report()) == "The graph has not grown since it was first run."
    v = tf.Variable(0.0)
    with tf.Session() as sess:
        sess.run(v.initializer)
        assert graph.growth_report() == GrowthReport(0, 0, {})
        place, other = place_here(2), place_here(4)
        for i in range(10):
            double = v * (2.0 + i)
            sess.run(double)
        unused = tf.no_op()
    report = graph.growth_report()
    assert unused.graph is graph
    assert report.lines == {place: 20, other: 1}
    assert (report.nodes, report.runs, report.nodes_per_run) == (21, 10, 2.1)
    assert repr(report) == (
        "The graph has grown by 21 nodes since it was first run; 10 runs found new nodes, 2.1 on average. The nodes were "
        f"added at\n      20  {place}\n       1  {other}"
    )


def test_a_long_report_is_cut():
    with tf.Session() as sess:
        sess.run(tf.no_op())
        exec("\n" * 3 + "tf.no_op()\n" * 50, {"tf": tf})
    text = str(sess.graph.growth_report())
    assert text.endswith("\n      30  at 30 other lines") and text.count("\n") == 21
