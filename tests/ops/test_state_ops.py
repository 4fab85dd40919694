"""Reference and resource variables, run as nodes of a graph."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._gen import raw_ops
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.session.session import Session


@pytest.fixture
def graph():
    with Graph().as_default() as made:
        yield made


def _fails(session, fetch, *texts):
    with pytest.raises(Exception) as caught:
        session.run(fetch)
    message = str(getattr(caught.value, "message", "") or caught.value)
    for text in texts:
        assert text in message


def _reference(shape, dtype=dtypes.float32, name="v"):
    return raw_ops.VariableV2(shape=shape, dtype=dtype, name=name)


def _handle(shape, dtype=dtypes.float32, name="v"):
    return raw_ops.VarHandleOp(shape=shape, dtype=dtype, name=name)


def test_reference_variable_keeps_its_value_between_runs(graph):
    variable = _reference([2])
    init = raw_ops.Assign(ref=variable, value=constant([1.0, 2.0]))
    add = raw_ops.AssignAdd(ref=variable, value=constant([10.0, 10.0]))
    with Session(graph=graph) as session:
        session.run(init.op)
        np.testing.assert_array_equal(session.run(add), [11, 12])
        np.testing.assert_array_equal(session.run(add), [21, 22])
        np.testing.assert_array_equal(session.run(variable), [21, 22])
    with Session(graph=graph) as other:
        _fails(other, variable, "Attempting to use uninitialized value v")


def test_reference_identity_passes_the_variable_on(graph):
    variable = _reference([2])
    other = raw_ops.RefIdentity(input=variable)
    init = raw_ops.Assign(ref=other, value=constant([1.0, 2.0]))  # works before the variable is initialized
    add = raw_ops.AssignAdd(ref=other, value=constant([10.0, 10.0]))
    assert other.dtype is dtypes.float32_ref and other.shape.as_list() == [2]
    with Session(graph=graph) as session:
        session.run(init.op)
        session.run(add.op)
        np.testing.assert_array_equal(session.run(variable), [11, 12])
        np.testing.assert_array_equal(session.run(other), [11, 12])


def test_reference_identity_gradient(graph):
    from tinytf._src.gradients.gradients_impl import gradients

    variable = _reference([2])
    (grad,) = gradients(raw_ops.Square(x=raw_ops.RefIdentity(input=variable)), [variable])
    with Session(graph=graph) as session:
        session.run(raw_ops.Assign(ref=variable, value=constant([1.0, 2.0])).op)
        np.testing.assert_array_equal(session.run(grad), [2, 4])


def test_assignment_checks_the_shape(graph):
    from tinytf._src.ops.array.placeholders import placeholder

    variable = _reference([2])
    value = placeholder(dtypes.float32)
    strict = raw_ops.Assign(ref=variable, value=value)
    free = raw_ops.Assign(ref=variable, value=value, validate_shape=False)
    with Session(graph=graph) as session:
        with pytest.raises(Exception) as caught:
            session.run(strict, {value: [1, 2, 3]})
        assert "Assign requires shapes of both tensors to match. lhs shape= [2] rhs shape= [3]" in str(caught.value)
        np.testing.assert_array_equal(session.run(free, {value: [1, 2, 3]}), [1, 2, 3])


def test_scatter_into_a_reference_variable(graph):
    variable = _reference([3])
    init = raw_ops.Assign(ref=variable, value=constant([1.0, 2.0, 3.0]))
    rows = constant([2, 0])
    update = raw_ops.ScatterUpdate(ref=variable, indices=rows, updates=constant([7.0, 8.0]))
    add = raw_ops.ScatterAdd(ref=variable, indices=rows, updates=constant([1.0, 1.0]))
    bad = raw_ops.ScatterSub(ref=variable, indices=constant([3]), updates=constant([1.0]))
    with Session(graph=graph) as session:
        session.run(init.op)
        np.testing.assert_array_equal(session.run(update), [8, 2, 7])
        np.testing.assert_array_equal(session.run(add), [9, 2, 8])
        _fails(session, bad, "indices[0] = 3 is not in [0, 3)")


def test_count_up_to(graph):
    counter = _reference([], dtypes.int32)
    init = raw_ops.Assign(ref=counter, value=constant(0))
    count = raw_ops.CountUpTo(ref=counter, limit=2)
    with Session(graph=graph) as session:
        session.run(init.op)
        assert [session.run(count), session.run(count)] == [0, 1]
        _fails(session, count, "Reached limit of 2")


def test_resource_variable(graph):
    handle = _handle([2])
    init = raw_ops.AssignVariableOp(resource=handle, value=constant([1.0, 2.0]))
    add = raw_ops.AssignAddVariableOp(resource=handle, value=constant([10.0, 10.0]))
    read = raw_ops.ReadVariableOp(resource=handle, dtype=dtypes.float32)
    known = raw_ops.VarIsInitializedOp(resource=handle)
    rows = raw_ops.ResourceGather(resource=handle, indices=constant([1, 1]), dtype=dtypes.float32)
    destroy = raw_ops.DestroyResourceOp(resource=handle)
    assert read.shape.as_list() == [2]
    with Session(graph=graph) as session:
        _fails(
            session,
            read,
            "Error while reading resource variable v from Container: localhost. This could mean that the variable was "
            "uninitialized. Not found: Container localhost does not exist. (Could not find resource: localhost/v)",
        )
        assert not session.run(known)
        session.run(init)
        before = session.run(read)
        session.run(add)
        np.testing.assert_array_equal(before, [1, 2])  # a fetched value does not change later
        np.testing.assert_array_equal(session.run(read), [11, 12])
        np.testing.assert_array_equal(session.run(rows), [12, 12])
        session.run(destroy)
        _fails(session, read, "Not found: Resource localhost/v/N10tensorflow3VarE does not exist.")


@pytest.mark.parametrize("use_resource", [False, True])
def test_first_values_that_are_zeros(use_resource, graph):
    variable = _handle([2, 0, 3]) if use_resource else _reference([2, 0, 3])
    if use_resource:
        zeros = raw_ops.ZeroVarInitializer(var=variable, dtype=dtypes.float32, shape=[2, 2])
        read = raw_ops.ReadVariableOp(resource=zeros, dtype=dtypes.float32)
        assert read.shape.as_list() == [2, 2]
    else:
        zeros = read = raw_ops.ZeroInitializer(ref=variable)
        assert zeros.shape.as_list() == [2, 0, 3]
    with Session(graph=graph) as session:
        np.testing.assert_array_equal(session.run(read), np.zeros(read.shape.as_list()))
        _fails(session, read, "input is already initialized")


def test_zeros_need_a_shape_and_a_variable(graph):
    with Session(graph=graph) as session:
        partial = raw_ops.ZeroVarInitializer(var=_handle(None), dtype=dtypes.float32, shape=[None, 2])
        _fails(session, partial.op, "Shape [?,2] is not fully defined")
        huge = raw_ops.ZeroVarInitializer(var=_handle(None), dtype=dtypes.float32, shape=[2**40, 2**40])
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(huge.op)
        other = raw_ops.ZeroVarInitializer(var=_handle(None), dtype=dtypes.int64, shape=[2])
        _fails(session, other.op, "Trying to assign variable with wrong dtype. Expected float got int64")
        queue = raw_ops.FIFOQueueV2(component_types=[dtypes.float32])
        wrong = raw_ops.ZeroVarInitializer(var=queue, dtype=dtypes.float32, shape=[2])
        _fails(session, wrong.op, "Trying to access resource using the wrong type.")


def test_shared_name_is_one_variable(graph):
    first = raw_ops.VarHandleOp(shape=[], dtype=dtypes.float32, shared_name="s", name="a")
    second = raw_ops.VarHandleOp(shape=[], dtype=dtypes.float32, shared_name="s", name="b")
    init = raw_ops.AssignVariableOp(resource=first, value=constant(3.0))
    read = raw_ops.ReadVariableOp(resource=second, dtype=dtypes.float32)
    with Session(graph=graph) as session:
        session.run(init)
        assert session.run(read) == 3


def test_assert_quotes_the_data(graph):
    check = raw_ops.Assert(condition=constant(False), data=[constant([[1, 2], [3, 4]]), constant("x")])
    with Session(graph=graph) as session:
        _fails(session, check, "assertion failed: [[1 2][3...]...] [x]")


def test_reference_variables_of_one_name_have_one_type(graph):
    first = raw_ops.VariableV2(shape=[2], dtype=dtypes.float32, shared_name="shared")
    same = raw_ops.VariableV2(shape=[2], dtype=dtypes.float32, shared_name="shared")
    text = raw_ops.VariableV2(shape=[2], dtype=dtypes.string, shared_name="shared")
    with Session(graph=graph) as session:
        session.run(raw_ops.Assign(ref=first, value=constant([1.0, 2.0])).op)
        np.testing.assert_array_equal(session.run(same), [1, 2])
        _fails(session, text, "variable shared with wrong dtype. Expected float got string")


@pytest.mark.parametrize("use_resource", [False, True])
@pytest.mark.parametrize(
    ("initial", "indices", "text"),
    [
        (1.0, [[0]], r"Output must be at least 1-D, got shape: \[\]"),
        ([1.0, 2.0], [[0, 0]], r"Must have updates.shape = indices.shape\[:batch_dim\] \+ params_shape\[slice_dim:\]"),
    ],
)
@pytest.mark.parametrize("name", ["scatter_nd_update", "scatter_nd_add", "scatter_nd_sub"])
def test_coordinates_of_more_dimensions_than_there_are_fail_in_the_step(name, initial, indices, text, use_resource):
    v = tf.Variable(initial, use_resource=use_resource)
    updated = getattr(v, name)(indices, [1.0])
    with tf.Session() as sess:
        sess.run(v.initializer)
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            sess.run(updated)


def test_a_row_of_a_scalar_fails_in_the_step():
    v = tf.Variable(1.0, use_resource=False)
    updated = tf.scatter_update(v, [0], [1.0])
    with tf.Session() as sess:
        sess.run(v.initializer)
        with pytest.raises(tf.errors.InvalidArgumentError, match="params must be at least 1-D"):
            sess.run(updated)


def test_a_variable_of_unknown_rank_is_a_scalar_at_first():
    value = tf.placeholder(tf.float32)
    v = tf.Variable(value, validate_shape=False, use_resource=False)
    with tf.Session() as sess:
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"lhs shape= \[\] rhs shape= \[2\]"):
            sess.run(tf.assign(v, [1.0, 2.0]))
        assert sess.run(tf.assign(v, [1.0, 2.0], validate_shape=False)).tolist() == [1, 2]
        assert sess.run(tf.assign(v, [3.0, 4.0])).tolist() == [3, 4]


@pytest.mark.parametrize("op", ["Equal", "NotEqual"])
def test_lenient_equality_of_known_shapes_that_differ_is_a_scalar(op):
    made = getattr(tf.raw_ops, op)(x=tf.zeros([3]), y=tf.zeros([2]), incompatible_shape_error=False)
    assert made.shape == ()
    assert not getattr(tf.raw_ops, op)(
        x=tf.zeros([3]), y=tf.placeholder(tf.float32, [None]), incompatible_shape_error=False
    ).shape.dims


def test_setdiff1d():
    with tf.Session() as sess:
        left, where = sess.run(tf.setdiff1d(x=["a", "b", "c"], y=["b"], index_dtype=tf.int64))
    assert (left.tolist(), where.tolist(), where.dtype) == ([b"a", b"c"], [0, 2], "int64")
