"""`plan_report` lists the executed nodes of a run and its estimated memory."""

import pytest

import tinytf as tf
from tinytf._src.debug.plan_report import plan_report


def _report(feeds, fetches, *names, **numbers):
    """The expected report if the engine executes the nodes with these names."""
    graph = tf.get_default_graph()
    nodes = [(name, graph.get_operation_by_name(name).type) for name in names]
    numbers = {
        "folded": 0,
        "merged": 0,
        "constants": 0,
        "constant_bytes": 0,
        "slots": 0,
        "guards": 0,
        "loops": [],
        "way": "straight",
        "why_tokens": "",
        "regions": [],
        **numbers,
    }
    return plan_report(graph, {"nodes": nodes, **numbers}, feeds, fetches)


def test_a_chain_holds_two_tensors_at_a_time():
    x = tf.placeholder(tf.float32, [1000], name="x")
    y = tf.tanh(tf.tanh(tf.tanh(x, name="a"), name="b"), name="c")
    report = _report([x], [y], "a", "b", "c", slots=4)
    assert report.nodes == (("a", "Tanh"), ("b", "Tanh"), ("c", "Tanh"))
    assert report.op_counts == {"Tanh": 3}
    assert (report.peak_bytes, report.slots, report.unsized) == (8000, 4, ())


def test_what_is_read_later_or_fetched_stays():
    x = tf.placeholder(tf.float32, [1000], name="x")
    a = tf.tanh(x, name="a")
    b = tf.tanh(a, name="b")
    c = tf.tanh(b, name="c")
    tf.multiply(c, a, name="d")
    assert _report([x], [c], "a", "b", "c").peak_bytes == 8000
    assert _report([x], [c, a], "a", "b", "c").peak_bytes == 12_000
    d = tf.get_default_graph().get_tensor_by_name("d:0")
    assert _report([x], [d], "a", "b", "c", "d").peak_bytes == 12_000


def test_an_output_that_nobody_reads_dies_at_once():
    x = tf.placeholder(tf.float32, [1000, 4], name="x")
    parts = tf.split(x, 4, axis=1, name="parts")
    tf.tanh(parts[0], name="y")
    report = _report([x], [tf.get_default_graph().get_tensor_by_name("y:0")], "parts", "y")
    assert report.peak_bytes == 16_000


def test_nodes_that_were_fused_pass_on_what_they_read():
    """The engine executes only the last node of the chain, with the inputs of the first one."""
    x = tf.placeholder(tf.float32, [1000], name="x")
    a = tf.sin(x, name="a")
    b = tf.tanh(tf.tanh(a, name="first"), name="between")
    other = tf.cos(x, name="other")
    last = tf.add(b, other, name="last")
    assert _report([x], [last], "a", "other", "last").peak_bytes == 12_000


def test_sizes_that_are_not_known_are_named():
    x = tf.placeholder(tf.float32, [None], name="x")
    y = tf.tanh(x, name="y")
    text = tf.as_string(y, name="text")
    report = _report([x], [text], "y", "text")
    assert (report.peak_bytes, report.unsized) == (0, ("y:0", "text:0"))
    assert str(report).endswith("at most about 0 bytes at a time and 2 tensors of unknown size")


def test_variables_are_not_made_by_the_step():
    v = tf.get_variable("v", [1000], initializer=tf.zeros_initializer(), use_resource=False)
    y = tf.tanh(v, name="y")
    assert _report([], [y], "v", "y").peak_bytes == 4000


def test_text():
    x = tf.placeholder(tf.float64, [10], name="x")
    a, b = tf.tanh(x, name="a"), tf.tanh(x + 1, name="b")
    c = tf.add(a, b, name="c")
    report = _report([x], [c], "a", "b", "c", folded=3, merged=1, constants=2, constant_bytes=16, slots=6)
    assert str(report) == (
        "3 nodes: Tanh × 2, Add\n3 folded, 1 merged; 2 constants of 16 bytes, 6 slots\nat most about 240 bytes at a time"
    )
    assert str(_report([], [])).startswith("0 nodes: none\n")


def test_what_stands_for_several_tensors_is_fed_whole():
    x = tf.sparse_placeholder(tf.float32, name="x")
    y = tf.tanh(x.values, name="y")
    with tf.Session() as sess:
        assert sess.plan_report(y, feed_list=[x]).nodes == (("y", "Tanh"),)


@pytest.mark.parametrize("feed", ["nope:0", "x", 3])
def test_feeds_that_are_no_tensors(feed):
    x = tf.placeholder(tf.float32, name="x")
    with tf.Session() as sess:
        assert sess.plan_report(x * 2.0, ["x:0"]).op_counts == {"Mul": 1}
        with pytest.raises(TypeError, match="^Cannot interpret feed_list key as Tensor: "):
            sess.plan_report(x, [feed])
