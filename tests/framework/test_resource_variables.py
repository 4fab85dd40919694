"""Resource variables in graphs: as control inputs, the results of their updates, and errors."""

import operator

import numpy as np
import pytest

import tinytf as tf


@pytest.fixture
def r():
    return tf.Variable(1.0, use_resource=True, name="r")


@pytest.fixture
def rows():
    return tf.Variable([[0, 1, 2], [3, 4, 5]], use_resource=True, name="rows")


def made_by(build):
    """The result of `build` and the operations it added: (type, inputs, control inputs)."""
    graph = tf.get_default_graph()
    before = len(graph.get_operations())
    result = build()
    made = graph.get_operations()[before:]
    return result, [(op.type, [t.name for t in op.inputs], [c.name for c in op.control_inputs]) for op in made]


def test_a_variable_as_control_input_is_its_handle(r):
    with tf.control_dependencies([r]):
        x = tf.constant(2.0)
    assert [op.name for op in x.op.control_inputs] == ["r"]
    assert [op.name for op in tf.group(r).control_inputs] == ["r"]
    with tf.Session() as sess:  # the variable is not read, so it may be uninitialized
        assert sess.run(x) == 2.0
        assert sess.run(tf.group(r)) is None


UPDATES = {
    "assign": ("AssignVariableOp", lambda v: v.assign([[9, 9, 9], [9, 9, 9]])),
    "assign_add": ("AssignAddVariableOp", lambda v: v.assign_add([[1, 1, 1], [1, 1, 1]])),
    "assign_sub": ("AssignSubVariableOp", lambda v: v.assign_sub([[1, 1, 1], [1, 1, 1]])),
    "scatter_add": ("ResourceScatterAdd", lambda v: v.scatter_add(tf.IndexedSlices([[1, 1, 1]], [0]))),
    "scatter_nd_update": ("ResourceScatterNdUpdate", lambda v: v.scatter_nd_update([[0]], [[1, 1, 1]])),
    "tf.assign": ("AssignVariableOp", lambda v: tf.assign(v, [[9, 9, 9], [9, 9, 9]])),
    "tf.scatter_mul": ("ResourceScatterMul", lambda v: tf.scatter_mul(v, [0], [[2, 2, 2]])),
    "tf.scatter_nd_sub": ("ResourceScatterNdSub", lambda v: tf.scatter_nd_sub(v, [[0]], [[2, 2, 2]])),
    "slice": ("ResourceStridedSliceAssign", lambda v: v[0].assign([7, 7, 7])),
    "batch": ("ResourceScatterNdUpdate", lambda v: tf.batch_scatter_update(v, [[0], [1]], [[9], [9]])),
}


@pytest.mark.parametrize("name", UPDATES)
def test_an_update_gives_back_the_variable_unread(rows, name):
    op_type, update = UPDATES[name]
    result = update(rows)
    assert type(result).__name__ == "_UnreadVariable"
    assert isinstance(result, tf.Variable)
    assert result.op.type == op_type
    assert result.name == result.op.name
    assert (result.dtype, result.shape.as_list(), result.handle) == (tf.int32, [2, 3], rows.handle)
    assert [op.type for op in tf.group(result).control_inputs] == [op_type]
    with tf.Session() as sess:
        sess.run(rows.initializer)
        after = sess.run(result)
        np.testing.assert_array_equal(after, sess.run(rows))
        np.testing.assert_array_equal(after.shape, [2, 3])


def test_updates_chain_and_are_read_after_them(r):
    first = r.assign(2.0)
    with tf.control_dependencies([first]):
        second = first.assign_add(3.0)
    total = second + 1.0
    read = total.op.inputs[0].op
    assert (read.type, [op.name for op in read.control_inputs]) == ("ReadVariableOp", [second.op.name])
    with tf.Session() as sess:
        assert sess.run(total) == 6.0
        assert sess.run([second, tf.identity(r.assign(4.0))])[1] == 4.0


def test_nodes_of_updates_and_sparse_reads(r, rows):
    _, made = made_by(lambda: r.assign_sub(2.0))
    assert made == [
        ("Const", [], []),
        ("AssignSubVariableOp", ["r:0", "Const:0"], []),
        ("ReadVariableOp", ["r:0"], ["AssignSubVariableOp"]),
    ]
    _, made = made_by(lambda: tf.gather_nd(rows, [[1]]))
    assert made == [
        ("Const", [], []),
        ("ResourceGatherNd", ["rows:0", "GatherNd/indices:0"], []),
        ("Identity", ["GatherNd:0"], []),
    ]
    assert [kind for kind, _, _ in made_by(lambda: r.assign(1.0, read_value=False))[1]] == ["Const", "AssignVariableOp"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("iadd", "Variable += value not supported. Use variable.assign_add(value) to modify the variable value and "
         "variable = variable + value to get a new Tensor object."),
        ("isub", "Variable -= value not supported. Use variable.assign_sub(value) to modify the variable value and "
         "variable = variable - value to get a new Tensor object."),
        ("imul", "Variable *= value not supported. Use `var.assign(var * value)` to modify the variable or "
         "`var = var * value` to get a new Tensor object."),
        ("itruediv", "Variable /= value not supported. Use `var.assign(var / value)` to modify the variable or "
         "`var = var / value` to get a new Tensor object."),
        ("idiv", "Variable /= value not supported. Use `var.assign(var / value)` to modify the variable or "
         "`var = var / value` to get a new Tensor object."),
        ("irealdiv", "Variable /= value not supported. Use `var.assign(var / value)` to modify the variable or "
         "`var = var / value` to get a new Tensor object."),
        ("ipow", "Variable **= value not supported. Use `var.assign(var ** value)` to modify the variable or "
         "`var = var ** value` to get a new Tensor object."),
    ],
)  # fmt: skip
def test_augmented_assignment_refuses(r, name, text):
    with pytest.raises(RuntimeError) as e:
        getattr(r, f"__{name}__")(1.0)
    assert str(e.value) == text


def test_what_has_no_value_in_a_graph(r):
    with pytest.raises(TypeError, match="as a Python `bool`"):
        bool(r)
    with pytest.raises(NotImplementedError, match=r"does not implement set_shape\(\)"):
        r.set_shape([])
    with pytest.raises(NotImplementedError, match="only available when eager"):
        r.numpy()
    with pytest.raises(TypeError, match="Non-integer variable"):
        int(r)


def test_reference_variables_are_true():
    v = tf.Variable(0.0, use_resource=False)
    assert v
    assert (v or None) is v
    assert list(filter(None, [v])) == [v]


def test_count_up_to(r):
    counter = tf.Variable(0, use_resource=True)
    step, other = counter.count_up_to(2), tf.count_up_to(counter, 2)
    assert (step.op.type, other.op.type, step.shape.as_list()) == ("ResourceCountUpTo", "ResourceCountUpTo", [])
    with tf.Session() as sess:
        sess.run(counter.initializer)
        before = sess.run(counter.value())
        assert [sess.run(step), sess.run(other)] == [0, 1]
        assert before == 0
        with pytest.raises(tf.errors.OutOfRangeError, match="Reached limit of 2"):
            sess.run(step)
        assert sess.run(counter) == 2
    with pytest.raises(ValueError, match="Shape must be rank 0 but is rank 1"):
        tf.Variable([0], use_resource=True).count_up_to(3)
    with pytest.raises(TypeError):
        r.count_up_to(3)


def test_assignments_build_in_the_graph_of_the_variable():
    with tf.Graph().as_default() as graph:
        v = tf.Variable(0.0, use_resource=True)
    for update in (v.assign(1.0), v.assign_add(1.0), v.assign_sub(1.0), tf.assign(v, 1.0)):
        assert update.op.graph is graph
        assert update._as_graph_element().graph is graph


def test_the_cached_value_is_made_for_its_device_alone():
    with tf.device("/job:server/task:1"):
        v = tf.Variable(1.0, use_resource=True, caching_device="/job:localhost")
    assert v.value().device == "/job:localhost"
    # An in-place update runs after the cached read; an assignment does not.
    assert [op.name for op in v.assign_add(1.0).op.inputs[1].op.control_inputs] == [v.value().op.name]
    assert v.assign(1.0).op.inputs[1].op.control_inputs == []


@pytest.mark.parametrize("use_resource", [False, True])
def test_assigning_to_nothing_does_nothing(use_resource):
    v = tf.Variable(np.ones([3, 3]), use_resource=use_resource)
    update = v[8:10, 8:10].assign([[]])
    with tf.Session() as sess:
        sess.run(v.initializer)
        np.testing.assert_array_equal(sess.run(update), np.ones([3, 3]))


@pytest.mark.parametrize("use_resource", [False, True])
def test_batch_scatter_update(use_resource):
    v = tf.Variable(np.zeros([2, 3, 2], np.float32), use_resource=use_resource)
    indices = tf.placeholder(tf.int32, [None, 2])
    updates = np.arange(1, 9, dtype=np.float32).reshape([2, 2, 2])
    update = v.batch_scatter_update(tf.IndexedSlices(updates, indices))
    expected = np.zeros([2, 3, 2], np.float32)
    expected[[[0], [1]], [[0, 2], [1, 0]]] = updates
    with tf.Session() as sess:
        sess.run(v.initializer)
        np.testing.assert_array_equal(sess.run(update, {indices: [[0, 2], [1, 0]]}), expected)
    with pytest.raises(ValueError, match="indices with unknown shape"):
        tf.batch_scatter_update(v, tf.placeholder(tf.int32), updates)


def test_assert_variables_initialized_is_a_tensor(r):
    one, two = tf.assert_variables_initialized([r]), tf.assert_variables_initialized([r, tf.Variable([1.0], name="w")])
    assert (one.op.type, two.op.type) == ("Rank", "Pack")
    with tf.Session() as sess:
        with pytest.raises(tf.errors.FailedPreconditionError):
            sess.run(one)
        sess.run(tf.global_variables_initializer())
        assert sess.run(one) == 0
        assert sess.run(two).tolist() == [0, 1]


def test_references_are_keys():
    v, w = tf.Variable(1.0, use_resource=True), tf.constant(1.0)
    table = {v.experimental_ref(): "v", w.experimental_ref(): "w"}
    assert (table[v.experimental_ref()], table[w.experimental_ref()]) == ("v", "w")
    assert v.experimental_ref().deref() is v
    assert v.experimental_ref() != w.experimental_ref()
    assert repr(v.experimental_ref()) == f"<Reference wrapping {v!r}>"
    for compare in (operator.eq, operator.ne):
        with pytest.raises(TypeError, match="^Cannot compare wrapped object with unwrapped object$"):
            compare(v.experimental_ref(), v)
