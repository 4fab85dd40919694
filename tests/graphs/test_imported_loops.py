"""Graphs with loops can be imported several times, or beside other loops, because each import gets its own frame
names. TensorFlow 1.15 keeps the names, except for MetaGraphs, and then cannot run the loops in one step. A part of a
loop joins the loop in the graph, as there.
"""

import pytest

import tinytf as tf


def _loop(x):
    return tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * 2.0), [0, x])[1]


def _graph_def():
    with tf.Graph().as_default() as graph:
        inner = tf.while_loop(
            lambda i, a: i < 2, lambda i, a: (i + 1, _loop(a)), [0, tf.placeholder(tf.float32, [], "x")]
        )
        tf.identity(inner[1], name="y")
        return graph.as_graph_def()


def _frames(graph):
    return [node.attr["frame_name"].s.decode() for node in graph.as_graph_def().node if node.op == "Enter"]


@pytest.mark.parametrize("names", [("a", "b"), ("", ""), (None, None), ("a", "a"), ("a/", "b/")])
def test_two_imports_can_be_joined(names):
    graph_def = _graph_def()
    with tf.Graph().as_default() as graph:
        tensor = tf.constant(1.0)
        for name in names:
            (tensor,) = tf.import_graph_def(graph_def, {"x:0": tensor}, ["y:0"], name=name)
        with tf.Session() as sess:
            assert sess.run(tensor) == 2.0**12
        frames = _frames(graph)
    half = len(frames) // 2
    assert frames[:half] == _frames_of(graph_def), "the first import keeps what the graph says"
    assert not set(frames[:half]) & set(frames[half:])
    assert len(set(frames[half:])) == 2


def _frames_of(graph_def):
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_def, name="")
        return _frames(graph)


def test_a_loop_that_is_built_and_its_import_can_be_joined():
    graph_def = _graph_def()
    with tf.Graph().as_default(), tf.Session() as sess:
        y = _loop(tf.constant(1.0))
        (z,) = tf.import_graph_def(graph_def, {"x:0": y}, ["y:0"], name="")
        assert sess.run(_loop(z)) == 2.0 ** (3 + 6 + 3)


def test_the_names_stay_where_there_is_no_other():
    graph_def = _graph_def()
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_def, name="in")
        assert sorted(set(_frames(graph))) == ["while/while/while_context", "while/while_context"]


def _part_of_loop(frame):
    """A GraphDef that multiplies a value in a loop, `inside`, by `c`, and passes the product out of the loop."""
    with tf.Graph().as_default() as graph:
        c, inside = (tf.placeholder(tf.float32, [], name) for name in ("c", "inside"))
        entered = tf.raw_ops.Enter(data=c, frame_name=frame, is_constant=True)
        merged = tf.raw_ops.Enter(data=inside, frame_name=frame)  # is left out below
        tf.raw_ops.Exit(data=tf.multiply(merged, entered), name="out")
        graph_def = graph.as_graph_def()
    product = next(node for node in graph_def.node if node.op == "Mul")
    product.input[0] = "inside"
    del graph_def.node[[node.name for node in graph_def.node].index(merged.op.name)]
    return graph_def


@pytest.mark.parametrize("prefix", ["", "part"])
def test_a_part_of_a_loop_joins_the_loop(prefix):
    with tf.Graph().as_default() as graph:
        tf.identity(_loop(tf.constant(1.0)), name="y")
        whole = graph.as_graph_def()
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        (y,) = tf.import_graph_def(whole, return_elements=["y:0"], name="")
        ends = [op for op in graph.get_operations() if op.type == "Switch" and op.inputs[0].dtype == tf.float32]
        part = _part_of_loop(_frames(graph)[0])
        out, c = tf.import_graph_def(part, {"inside:0": ends[0].outputs[0]}, ["out:0", "c:0"], name=prefix)
        assert len(set(_frames(graph))) == 1
        assert sess.run([y, out], {c: 10.0}) == [8.0, 80.0]


def test_meta_graphs_in_scopes_can_be_joined_and_differentiated():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [], "x")
        tf.identity(_loop(x), name="y")
        meta_graph = tf.train.export_meta_graph()
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        tf.train.import_meta_graph(meta_graph, import_scope="a")
        middle = graph.get_tensor_by_name("a/y:0")
        tf.train.import_meta_graph(meta_graph, import_scope="b", input_map={"x:0": middle})
        x, y = graph.get_tensor_by_name("a/x:0"), graph.get_tensor_by_name("b/y:0")
        assert sess.run([y, *tf.gradients(y, x)], {x: 1.0}) == [64.0, 64.0]


def test_a_tensor_of_another_graph_takes_no_place():
    graph_def = _graph_def()
    with tf.Graph().as_default() as other:
        stranger = tf.constant(1.0)
    with tf.Graph().as_default() as graph:
        text = r"node 'Const' in input_map does not exist in graph \(input_map entry: x:0->Const:0\)"
        with pytest.raises(ValueError, match=text):
            tf.import_graph_def(graph_def, {"x:0": stranger})
        assert not graph.get_operations() and len(other.get_operations()) == 1
        own = tf.constant(2.0)
        (y,) = tf.import_graph_def(graph_def, {"x:0": stranger}, ["y:0"])  # by tensor name, as in TensorFlow
        assert y.graph is graph and len(other.get_operations()) == 1
        with tf.Session() as sess:
            assert sess.run([own, y]) == [2.0, 2.0**7]
