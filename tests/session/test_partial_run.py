"""Partial runs: partial_run_setup and partial_run."""

import re
import threading

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.session.partial_run import PartialRuns


@pytest.fixture
def model():
    """a, b, c and their sums: r1 = a + b, r2 = r1 · c."""
    a, b, c = (tf.placeholder(tf.float32, [], name=name) for name in "abc")
    r1 = tf.add(a, b, name="r1")
    return a, b, c, r1, tf.multiply(r1, c, name="r2")


def _refuses(text):
    return pytest.raises(tf.errors.InvalidArgumentError, match=f"^{re.escape(text)}$")


# -- Continuing --------------------------------------------------------------------------------------------------------


def test_the_example_of_tensorflows_documentation(sess):
    a = tf.placeholder(tf.float32, shape=[])
    b = tf.placeholder(tf.float32, shape=[])
    c = tf.placeholder(tf.float32, shape=[])
    r1 = tf.add(a, b)
    r2 = tf.multiply(r1, c)
    h = sess.partial_run_setup([r1, r2], [a, b, c])
    res = sess.partial_run(h, r1, feed_dict={a: 1, b: 2})
    assert res == 3
    res = sess.partial_run(h, r2, feed_dict={c: res})
    assert res == 9


def test_results_have_the_structure_of_the_fetches(sess, model):
    a, b, c, r1, r2 = model
    handle = sess.partial_run_setup({"both": (r1, r2)}, [a, b, c])
    assert isinstance(handle, str)
    assert sess.partial_run(handle, {"first": [r1]}, {a: 1, b: 2}) == {"first": [3]}
    assert sess.partial_run(handle, ("r2:0",), {"c:0": 2}) == (6,)


def test_feeds_without_fetches_and_fetches_without_feeds(sess, model):
    a, b, c, r1, r2 = model
    handle = sess.partial_run_setup([r1, r2], [a, b, c])
    assert sess.partial_run(handle, [], {a: 1}) == []
    assert sess.partial_run(handle, [], {c: 4}) == []
    assert sess.partial_run(handle, [], {b: 2}) == []
    assert sess.partial_run(handle, [r2]) == [12]
    assert sess.partial_run(handle, r1) == 3


def test_several_are_in_flight(sess, model):
    a, b, c, r1, r2 = model
    handles = [sess.partial_run_setup([r1, r2], [a, b, c]) for _ in range(5)]
    assert len(set(handles)) == 5
    for i, handle in enumerate(handles):
        assert sess.partial_run(handle, r1, {a: i, b: 1}) == i + 1
    assert sess.run(r1, {a: 7, b: 8}) == 15  # other steps in between
    for i, handle in reversed(list(enumerate(handles))):
        assert sess.partial_run(handle, r2, {c: 10}) == 10 * (i + 1)


def test_threads_have_runs_of_their_own(sess, model):
    a, b, c, r1, r2 = model
    wrong = []

    def work(number):
        for i in range(20):
            handle = sess.partial_run_setup([r1, r2], [a, b, c])
            first = sess.partial_run(handle, r1, {a: number, b: i})
            second = sess.partial_run(handle, r2, {c: 2})
            if (first, second) != (number + i, 2 * (number + i)):
                wrong.append((number, i, first, second))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_every_node_runs_once(sess):
    x, y = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    v = tf.get_variable("v", initializer=0.0, use_resource=True)
    first = v.assign_add(x)
    second = first + y
    sess.run(tf.global_variables_initializer())
    handle = sess.partial_run_setup([first, second], [x, y])
    assert sess.partial_run(handle, first, {x: 5}) == 5
    assert sess.run(v) == 5
    assert sess.partial_run(handle, second, {y: 1}) == 6
    assert sess.run(v) == 5


def test_what_needs_no_feeds_is_there_from_the_beginning(sess, model):
    a = model[0]
    one, two = tf.constant(1.0), tf.random_uniform([])
    handle = sess.partial_run_setup([one, two, a + 1], [a])
    assert sess.partial_run(handle, one) == 1
    assert 0 <= sess.partial_run(handle, two) < 1
    assert sess.partial_run(handle, "add:0", {a: 1}) == 2


def test_setup_runs_operations(sess):
    x = tf.placeholder(tf.float32, [])
    v = tf.get_variable("v", initializer=0.0, use_resource=True)
    sess.run(tf.global_variables_initializer())
    handle = sess.partial_run_setup([v.assign_add(x).op, x + 1], [x])
    assert sess.partial_run(handle, "add:0", {x: 3}) == 4
    assert sess.run(v) == 3


def test_what_is_fed_is_not_fetched(sess, model):
    a, b, _, r1, _ = model
    with _refuses("a:0 is both fed and fetched."):
        sess.partial_run_setup([a, r1], [a, b])
    handle = sess.partial_run_setup([r1], [a, b])
    assert sess.partial_run(handle, [a, r1], {a: 4, b: 1}) == [4, 5]  # returned unchanged


def test_feeds_of_several_tensors(sess):
    x = tf.sparse_placeholder(tf.float32, [3])
    y = x.values * 2
    handle = sess.partial_run_setup([y], [x])
    value = tf.SparseTensorValue(indices=np.array([[1]]), values=np.array([5.0], np.float32), dense_shape=np.array([3]))
    assert sess.partial_run(handle, y, {x: value}).tolist() == [10]


def test_a_feed_is_named_once(sess, model):
    a, b, _, r1, _ = model
    with _refuses('Endpoint "a:0" fed more than once.'):
        sess.partial_run_setup([r1], [a, b, "a:0"])


def test_graphs_grow_meanwhile(sess, model):
    a, b, c, r1, r2 = model
    handle = sess.partial_run_setup([r1, r2], [a, b, c])
    assert sess.partial_run(handle, r1, {a: 1, b: 2}) == 3
    assert sess.run(tf.constant(1) + 1) == 2
    assert sess.partial_run(handle, r2, {c: 2}) == 6


def test_unfinished_ones_beyond_a_number_are_given_up(sess, model, monkeypatch, caplog):
    a, b, _, r1, _ = model
    monkeypatch.setattr(PartialRuns, "MOST", 3)
    first, second, third = (sess.partial_run_setup([r1], [a, b]) for _ in range(3))
    sess.partial_run(first, [], {a: 1})  # so that the second is the least recently used
    assert not caplog.records
    later = [sess.partial_run_setup([r1], [a, b]) for _ in range(2)]
    assert [record.getMessage()[:53] for record in caplog.records] == [
        "More than 3 partial runs of this session are unfinish"
    ]
    for handle in (second, third):
        with _refuses("Must run 'setup' before performing partial runs!"):
            sess.partial_run(handle, r1, {a: 1, b: 2})
    assert sess.partial_run(first, r1, {b: 2}) == 3
    for handle in later:
        assert sess.partial_run(handle, r1, {a: 3, b: 4}) == 7


def test_a_loop_that_finishes_none_holds_bounded_memory(sess, monkeypatch):
    monkeypatch.setattr(PartialRuns, "MOST", 5)
    x, y = tf.placeholder(tf.float32, [100_000]), tf.placeholder(tf.float32, [])
    held = tf.exp(x)
    for _ in range(50):
        handle = sess.partial_run_setup([held, held * y], [x, y])
        sess.partial_run(handle, held, {x: np.zeros(100_000)})
    assert sess.memory_stats().live_bytes <= 7 * 400_000


# -- Refusals ----------------------------------------------------------------------------------------------------------


def test_refusals_leave_the_run_as_it_was(sess, model):
    a, b, c, r1, r2 = model
    other, unfetched = tf.placeholder(tf.float32, [], name="other"), tf.identity(r1, name="unfetched")
    handle = sess.partial_run_setup([r1, r2], [a, b, c])
    with _refuses("The feed other:0 was not specified in partial_run_setup."):
        sess.partial_run(handle, [], {other: 1})
    with _refuses("The fetch unfetched:0 was not specified in partial_run_setup."):
        sess.partial_run(handle, unfetched, {a: 1})
    with _refuses("Fetch r1:0 can't be computed from the feeds that have been fed so far."):
        sess.partial_run(handle, r1, {a: 1})
    assert sess.partial_run(handle, r1, {a: 1, b: 2}) == 3
    with _refuses("The feed a:0 has already been fed."):
        sess.partial_run(handle, [], {a: 1})
    with _refuses("The fetch r1:0 has already been fetched."):
        sess.partial_run(handle, r1)
    with pytest.raises(RuntimeError, match=r"^partial_run\(\) requires empty target_list.$"):
        sess.partial_run(handle, r1.op)
    with pytest.raises(ValueError, match="^Cannot feed value of shape"):
        sess.partial_run(handle, r2, {c: [1, 2]})
    assert sess.partial_run(handle, r2, {c: 2}) == 6


def test_unknown_handles(sess, model):
    with _refuses("Must run 'setup' before performing partial runs!"):
        sess.partial_run("nonsense", model[3])
    with tf.Session() as other, _refuses("Must run 'setup' before performing partial runs!"):
        other.partial_run(sess.partial_run_setup([model[3]], list(model[:2])), model[3])


def test_a_run_is_over_when_all_is_used(sess, model):
    a, b, _, r1, _ = model
    handle = sess.partial_run_setup([r1], [a, b])
    assert sess.partial_run(handle, r1, {a: 1, b: 2}) == 3
    for fetches in ([], r1):
        with _refuses("Must run 'setup' before performing partial runs!"):
            sess.partial_run(handle, fetches)
    handle = sess.partial_run_setup([r1], [a, b])
    assert sess.partial_run(handle, r1, {a: 10, b: 2}) == 12


def test_setups_that_ask_for_nothing_or_for_nonsense(sess, model):
    a = model[0]
    with _refuses("Must specify at least one target to fetch or execute."):
        sess.partial_run_setup([], [a])
    with pytest.raises(TypeError, match="^Cannot interpret feed_list key as Tensor: "):
        sess.partial_run_setup([a], ["nothing:0"])
    with pytest.raises(TypeError, match="^Fetch argument 3 has invalid type <class 'int'>"):
        sess.partial_run_setup([3], [a])


def test_sessions_that_cannot_run(model):
    a, b, _, r1, _ = model
    sess = tf.Session()
    handle = sess.partial_run_setup([r1], [a, b])
    sess.close()
    for call in (lambda: sess.partial_run_setup([r1], [a, b]), lambda: sess.partial_run(handle, r1, {a: 1, b: 2})):
        with pytest.raises(RuntimeError, match="^Attempted to use a closed Session.$"):
            call()
    with (
        tf.Session(graph=tf.Graph()) as empty,
        pytest.raises(
            RuntimeError, match=r"^The Session graph is empty.  Add operations to the graph before calling run\(\)"
        ),
    ):
        empty.partial_run_setup([], [])


# -- Errors of nodes ---------------------------------------------------------------------------------------------------


def test_an_error_ends_the_run_and_frees_it(sess):
    x, y = tf.placeholder(tf.float32, name="x"), tf.placeholder(tf.float32, name="y")
    z = tf.add(x, y, name="z")
    big = np.ones(100_000, np.float32)
    handle = sess.partial_run_setup([z, x * 2], [x, y])
    assert sess.partial_run(handle, "mul:0", {x: big}).sum() == 200_000
    before = sess.memory_stats().live_bytes
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"^Incompatible shapes: \[100000\] vs. \[3\]") as caught:
        sess.partial_run(handle, z, {y: np.ones(3)})
    assert caught.value.op is z.op
    assert "test_partial_run.py" in caught.value.message  # names the line of the node
    with _refuses("Must run 'setup' before performing partial runs!"):
        sess.partial_run(handle, z)
    assert sess.memory_stats().live_bytes <= before


def test_values_are_freed_at_the_end(sess):
    x, y = tf.placeholder(tf.float32, [100_000]), tf.placeholder(tf.float32, [])
    held = tf.exp(x)
    z = tf.reduce_sum(held) * y
    handle = sess.partial_run_setup([z], [x, y])
    sess.partial_run(handle, [], {x: np.zeros(100_000)})
    held_bytes = sess.memory_stats().live_bytes
    assert sess.partial_run(handle, z, {y: 2}) == 200_000
    assert sess.memory_stats().live_bytes <= held_bytes
    handle = sess.partial_run_setup([held, z], [x, y])
    sess.partial_run(handle, [], {x: np.zeros(100_000)})
    assert sess.memory_stats().live_bytes >= 400_000
    sess.close()
    assert sess.memory_stats().live_bytes == 0


def test_branches_and_loops_bit_by_bit(sess):
    p, x, y = tf.placeholder(tf.bool, []), tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    branch = tf.cond(p, lambda: x * 2.0, lambda: y * 3.0)
    loop = tf.while_loop(lambda i: i < 10.0, lambda i: i + x, [y])
    both = branch + loop
    handle = sess.partial_run_setup([branch, loop, both], [p, x, y])
    with _refuses("Fetch cond/Merge:0 can't be computed from the feeds that have been fed so far."):
        sess.partial_run(handle, branch, {p: False, y: 2.0})  # either branch might be taken
    assert sess.partial_run(handle, loop, {x: 1.0, y: 2.0}) == 10.0
    assert sess.partial_run(handle, [branch, both], {p: False}) == [6.0, 16.0]


def test_a_fetch_of_the_other_branch(sess):
    p, x = tf.placeholder(tf.bool, []), tf.placeholder(tf.float32, [])
    taken = tf.identity(tf.raw_ops.Switch(data=x, pred=p).output_true, name="taken")
    handle = sess.partial_run_setup([taken], [p, x])
    with _refuses("The tensor returned for taken:0 was not valid."):
        sess.partial_run(handle, taken, {p: False, x: 1.0})
    handle = sess.partial_run_setup([taken], [p, x])
    assert sess.partial_run(handle, taken, {p: True, x: 1.0}) == 1.0
