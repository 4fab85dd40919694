"""Ops with a resource input check the kind of resource, the dtype of its value, and that it is initialized."""

import numpy as np
import pytest

import tinytf as tf
from tinytf import _core
from tinytf._src.framework.apply.apply_op import apply_op
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.errors import errors

_RESOURCE = tf.resource.as_datatype_enum
_VARIANT = tf.variant.as_datatype_enum
_HANDED_ON = {"FakeQueue"}  # passes any resource on
_OPS = [
    op for op in _core.op_names() if any(arg.type == _RESOURCE for arg in op_spec(op).inputs) and op not in _HANDED_ON
]
_OF_ANY_TYPE = {"VarIsInitializedOp", "VariableShape", "DestroyResourceOp"}
# Ops on queues, stacks, TensorArrays, event writers, readers, iterators and what belongs to these.
_OF_OTHERS = {op for op in _OPS if _core.op_def(op)["family"] in ("data_flow", "summary", "io", "data")}
_VALUES = {"grad", "delta", "value", "updates"}
_SCALARS = {"lr_power": -0.5}
_ERRORS = (errors.InvalidArgumentError, errors.NotFoundError, errors.FailedPreconditionError)


def _unknown(handle):
    """The handle without static information."""
    shape = tf.placeholder_with_default(np.zeros([0], np.int32), None)
    return tf.raw_ops.Reshape(tensor=handle, shape=shape)


def _attr_value(attr):
    """A value for an attr without a default; for types float32, if it is allowed."""
    if attr.kind in ("int", "string"):
        return 1 if attr.kind == "int" else "gradients"
    if attr.kind in ("shape", "list(shape)"):
        return [1] if attr.kind == "shape" else [[]]
    dtype = tf.float32
    if attr.allowed_types and dtype.as_datatype_enum not in attr.allowed_types:
        dtype = tf.as_dtype(attr.allowed_types[0])
    return [dtype] if attr.kind == "list(type)" else dtype


def _dataset():
    numbers = {"output_types": [tf.int64], "output_shapes": [[]]}
    return tf.raw_ops.RangeDataset(start=np.int64(0), stop=np.int64(1), step=np.int64(1), **numbers)


def _node(op, handle):
    """The output of a float32 op whose resource inputs are all `handle`: a tensor, several, or an operation."""
    spec = op_spec(op)
    inputs, attrs = [], {}
    for arg in spec.inputs:
        if arg.type == _RESOURCE:
            inputs.append([handle] if arg.is_list else handle)
        elif arg.type == _VARIANT:
            inputs.append(_dataset())
        elif arg.name == "indices":
            inputs.append(tf.constant([[0]] if "Nd" in op else [0]))
        elif arg.name in ("begin", "end", "strides", "lengths"):
            inputs.append(tf.constant([1 if arg.name == "strides" else 0], tf.as_dtype(arg.type) if arg.type else None))
        elif arg.is_list:
            inputs.append([tf.constant([1.0])])
        elif arg.type == tf.string.as_datatype_enum:
            inputs.append(tf.constant(""))
        elif arg.name in _VALUES:
            inputs.append(tf.constant([1.0]))
        else:
            inputs.append(
                tf.constant(1, tf.as_dtype(arg.type)) if arg.type else tf.constant(_SCALARS.get(arg.name, 0.5))
            )
    given = {arg.type_attr or arg.type_list_attr for arg in spec.inputs}
    for attr in spec.attrs:
        if not attr.has_default and attr.name not in given:
            attrs[attr.name] = _attr_value(attr)
    return apply_op(spec, None, tuple(inputs), attrs)


def _message(op, make_handle):
    """The error message of the op for the handle that `make_handle` makes."""
    with tf.Graph().as_default(), tf.Session() as session:
        handle, setup = make_handle()
        if setup is not None:
            session.run(setup)
        fetch = _node(op, _unknown(handle))
        with pytest.raises(_ERRORS) as caught:
            session.run(fetch)
    return caught.value.message


def _of_another_type():
    handle = tf.raw_ops.VarHandleOp(dtype=tf.int64, shape=[1])
    return handle, tf.raw_ops.AssignVariableOp(resource=handle, value=tf.constant([7], tf.int64))


def _of_strings():
    handle = tf.raw_ops.VarHandleOp(dtype=tf.string, shape=[1])
    return handle, tf.raw_ops.AssignVariableOp(resource=handle, value=tf.constant(["text"]))


def _without_value():
    return tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[1]), None


def _queue():
    return tf.raw_ops.FIFOQueueV2(component_types=[tf.float32]), None


@pytest.mark.parametrize("make", [_of_another_type, _of_strings])
@pytest.mark.parametrize("op", sorted(set(_OPS) - _OF_ANY_TYPE - _OF_OTHERS))
def test_variables_of_another_type(op, make):
    assert "with wrong dtype. Expected" in _message(op, make)


@pytest.mark.parametrize(
    "op", sorted(set(_OPS) - _OF_ANY_TYPE - _OF_OTHERS - {"AssignVariableOp", "ZeroVarInitializer"})
)
def test_variables_without_value(op):
    assert "localhost/VarHandleOp" in _message(op, _without_value)


@pytest.mark.parametrize("op", sorted(set(_OPS) - _OF_OTHERS - {"DestroyResourceOp"}))
def test_queues_are_no_variables(op):
    assert "Trying to access resource using the wrong type" in _message(op, _queue)


@pytest.mark.parametrize("op", sorted(_OF_OTHERS))
def test_variables_are_nothing_else(op):
    assert "Trying to access resource" in _message(op, _of_another_type)


@pytest.mark.parametrize(
    "op",
    sorted(
        set(_OPS) - _OF_ANY_TYPE - _OF_OTHERS - {"AssignVariableOp", "ResourceStridedSliceAssign", "ZeroVarInitializer"}
    ),
)
def test_known_handles_of_another_type_fail_when_the_node_is_made(op):
    with tf.Graph().as_default(), pytest.raises(ValueError, match="with wrong dtype. Expected int64 got"):
        _node(op, _of_another_type()[0])


def test_no_handle_at_all():
    with tf.Graph().as_default(), tf.Session() as session:
        handle, assign = _of_another_type()
        session.run(assign)
        none = tf.raw_ops.Slice(input=tf.reshape(handle, [1]), begin=[0], size=[0])
        with pytest.raises(errors.InvalidArgumentError, match="using the wrong type"):
            session.run(tf.raw_ops.ReadVariableOp(resource=none, dtype=tf.int64))


def test_batch_dims_of_a_gather():
    with tf.Graph().as_default(), tf.Session() as session:
        handle = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[2, 2])
        session.run(tf.raw_ops.AssignVariableOp(resource=handle, value=[[1.0, 2.0], [3.0, 4.0]]))

        def gather(handle, batch_dims):
            return tf.raw_ops.ResourceGather(resource=handle, indices=[1, 0], dtype=tf.float32, batch_dims=batch_dims)

        np.testing.assert_array_equal(session.run(gather(handle, 1)), [2, 3])
        for batch_dims in (-1, -(2**31), -(2**63)):
            with pytest.raises(ValueError, match="batch_dims"):
                gather(handle, batch_dims)
        for batch_dims in (2, 2**31, 2**63 - 1):
            with pytest.raises(ValueError, match="Shape must be at least rank|batch_dims"):
                gather(handle, batch_dims)
            with pytest.raises((ValueError, errors.InvalidArgumentError)):
                session.run(gather(_unknown(handle), batch_dims))
