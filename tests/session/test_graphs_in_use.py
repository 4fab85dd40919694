"""Graphs that grow and change while sessions run them; several sessions and threads on one graph."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import tinytf as tf

_EMPTY = "The Session graph is empty.  Add operations to the graph before calling run()."


def _in_threads(*works):
    """Runs each function on a thread of its own and raises the first exception."""
    with ThreadPoolExecutor(len(works)) as threads:
        running = [threads.submit(work) for work in works]
    for work in running:
        work.result()


# -- Empty graphs ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fetches", [[], {}, (), "x:0", None, 3])
def test_an_empty_graph_complains_before_anything_else(fetches):
    assert tf.get_default_graph().version == 0
    with tf.Session() as sess:
        for arguments in ({}, {"feed_dict": {}}, {"feed_dict": {"x:0": 1}}):
            with pytest.raises(RuntimeError) as caught:
                sess.run(fetches, **arguments)
            assert str(caught.value) == _EMPTY
    with pytest.raises(RuntimeError, match="^Attempted to use a closed Session.$"):
        sess.run(fetches)


def test_it_runs_as_soon_as_there_is_something(sess):
    with pytest.raises(RuntimeError, match="empty"):
        sess.run([])
    c = tf.constant(1)
    assert sess.graph.version == c.op._id == 1
    assert sess.run([]) == [] and sess.run(c) == 1


# -- Growth ------------------------------------------------------------------------------------------------------------


def test_what_is_added_after_runs_is_found(sess):
    v = tf.get_variable("v", initializer=1)
    sess.run(v.initializer)
    total = v
    for i in range(1, 50):
        total = total + i
        assert sess.run([v, total]) == [1, 1 + i * (i + 1) // 2]
    assert sess.graph_def.node[-1].name == total.op.name


def test_what_was_prepared_before_still_works(sess):
    a = tf.placeholder(tf.int32, [], name="a")
    b = a + 1
    call = sess.make_callable(b, [a])
    assert sess.run(b, {a: 1}) == 2 and call(1) == 2
    c = b * 2
    assert sess.run(c, {a: 1}) == 4 and call(2) == 3 and sess.run(b, {a: 1}) == 2 and sess.run("a:0", {"a:0": 5}) == 5


def test_two_sessions_grow_with_one_graph():
    v = tf.get_variable("v", initializer=0)
    add = tf.assign_add(v, 1)
    with tf.Session() as one, tf.Session() as two:
        one.run(v.initializer)
        two.run(v.initializer)
        one.run(add)
        twice = v * 2
        assert one.run(twice) == 2 and two.run(twice) == 0
        two.run([add, add])
        assert one.run(v + 10) == 11 and two.run(v + 20) == 21
    with tf.Session() as three:
        with pytest.raises(tf.errors.FailedPreconditionError):
            three.run(v)


def test_a_finalized_graph(sess):
    v = tf.get_variable("v", initializer=1)
    sess.run(v.initializer)
    sess.graph.finalize()
    assert sess.graph.finalized and sess.run([v, v.op]) == [1, None]
    version = sess.graph.version
    for grow in (lambda: tf.constant(1), lambda: v + 1, lambda: tf.gradients(v, v), lambda: tf.get_variable("w", [])):
        with pytest.raises(RuntimeError, match="^Graph is finalized and cannot be modified.$"):
            grow()
    assert sess.graph.version == version
    with tf.Session() as another:
        another.run(v.initializer)
        assert another.run(v) == 1


# -- Late changes ------------------------------------------------------------------------------------------------------

_CHANGES = {
    "adding control input": lambda op, other: op._add_control_input(other.op),
    "setting attribute": lambda op, other: op._set_attr("_mine", 3),
    "clearing attribute": lambda op, other: op._clear_attr("_class"),
    "setting device": lambda op, other: op._set_device("/cpu:0"),
    "updating input tensor": lambda op, other: op._update_input(0, other),
}


@pytest.mark.parametrize("what", _CHANGES)
def test_a_change_after_a_run_is_warned_of_once(sess, caplog, what):
    a, other = tf.constant(1, name="a"), tf.constant(5, name="other")
    b = tf.identity(a, name="b")
    _CHANGES[what](b.op, other)  # effective, because the graph was not run yet
    expected = 5 if what == "updating input tensor" else 1
    assert sess.run(b) == expected and not caplog.records
    _CHANGES[what](b.op, a)
    assert sess.run(b) == expected and sess.run(b) == expected  # no effect
    sess.run(b + 1)
    (record,) = caplog.records
    assert (record.name, record.levelname) == ("tinytf", "WARNING")
    assert record.getMessage() == (
        f"Operation '<tf.Operation 'b' type=Identity>' was changed by {what} after it was run by a session. This mutation "
        "will have no effect, and will trigger an error in the future. Either don't modify nodes after running them or "
        "create a new session."
    )
    caplog.clear()  # log records reference the operation


# -- Threads -----------------------------------------------------------------------------------------------------------


def test_threads_build_while_others_run(sess):
    def build():
        with graph.as_default():
            made = [tf.identity(v, name="read") + i for i in range(200)]
        results.append(sess.run(made))
        ended.release()

    def run():
        while not ended.acquire(blocking=False):
            assert sess.run(plus) == 8
        ended.release()  # for the other thread

    graph = sess.graph
    v = tf.get_variable("v", initializer=7, use_resource=True)
    plus = v + 1
    sess.run(v.initializer)
    results, ended = [], threading.Semaphore(0)
    _in_threads(build, run, run)
    assert results == [[7 + i for i in range(200)]]
    assert len({op.name for op in graph.get_operations()}) == graph.version


def test_threads_take_turns_to_build_and_run_at_once(sess):
    def work(t):
        with sess.graph.as_default(), sess.as_default():
            for i in range(50):
                with building:
                    c = tf.constant(t) * 1000 + i
                assert c.eval() == t * 1000 + i
                add.op.run()

    v = tf.get_variable("v", initializer=0, use_resource=True)
    add = v.assign_add(1)
    sess.run(v.initializer)
    building = threading.Lock()
    _in_threads(*(lambda t=t: work(t) for t in range(6)))
    assert sess.run(v) == 300
