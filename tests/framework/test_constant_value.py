"""Constant values that are known during graph construction."""

import numpy as np
import pytest
from fakes import FakeEagerTensor, FakeTensor, const, unknown

import tinytf as tf
from tinytf._src.framework.values import dtypes, tensor_util
from tinytf._src.framework.values.tensor_util import constant_value, constant_value_as_shape


def op(op_type, *inputs, **attrs):
    return FakeTensor(op_type, inputs, **attrs)


class TestConstantValue:
    @pytest.mark.parametrize(
        "tensor, expected",
        [
            (const([1, 2]), [1, 2]),
            (op("Shape", unknown([2, 3])), [2, 3]),
            (op("Shape", unknown([2, None])), None),
            (op("Size", unknown([2, 3])), 6),
            (op("Size", unknown([None])), None),
            (op("Rank", unknown([None, None])), 2),
            (op("Rank", unknown()), None),
            (op("Range", const(1), const(7), const(2)), [1, 3, 5]),
            (op("Range", const(1), unknown([]), const(2)), None),
            (op("Cast", const([1.7]), DstT=3), [1]),
            (op("Cast", unknown(), DstT=3), None),
            (op("Concat", const(0), const([1]), const([2])), [1, 2]),
            (op("ConcatV2", const([[1]]), const([[2]]), const(1)), [[1, 2]]),
            (op("ConcatV2", const([1]), unknown(), const(0)), None),
            (op("Pack", const(1), const(2), axis=0), [1, 2]),
            (op("Pack", const(1), unknown([]), axis=0), None),
            (op("Pack", const(1), const(2), axis=1), None),
            (op("Pack", axis=0), None),
            (op("Fill", const([2]), const(5), shape=[2]), [5, 5]),
            (op("Fill", unknown(), const(5), shape=[None]), None),
            (op("Equal", const([1, 2]), const(2)), [False, True]),
            (op("NotEqual", const([1, 2]), const(2)), [True, False]),
            (op("MatMul", const([[1]]), const([[1]])), None),
        ],
        ids=lambda x: x.op.type if isinstance(x, FakeTensor) else None,
    )
    def test_rules(self, tensor, expected):
        value = constant_value(tensor)
        assert (value is None) == (expected is None) and tensor.fed_never == (expected is not None)
        if expected is not None:
            assert value.tolist() == expected

    def test_element_types(self):
        assert constant_value(op("Shape", unknown([1]), dtype=dtypes.int64)).dtype == np.int64
        assert constant_value(op("Size", unknown([1]), dtype=dtypes.int64)).dtype == np.int64
        assert constant_value(op("Range", const(0), const(2), const(1), dtype=dtypes.int32)).dtype == np.int32

    def test_partial(self):
        value = constant_value(op("Pack", const(1), unknown([]), axis=0), partial=True)
        assert value.tolist() == [1, None]

    def test_what_is_no_graph_tensor(self):
        assert constant_value(3) == 3 and constant_value(FakeEagerTensor("value")) == "value"


class TestConstantValueAsShape:
    @pytest.mark.parametrize(
        "tensor, text",
        [
            (const([2, -1]), "(2, ?)"),
            (const([], dtypes.int32), "()"),
            (unknown([3]), "(?, ?, ?)"),
            (unknown([None]), "<unknown>"),
            (unknown(), "<unknown>"),
            (const(-1), "<unknown>"),
            (op("Shape", unknown([2, None]), shape=[2]), "(2, ?)"),
            (op("Pack", const(2), unknown([]), const(-1), shape=[3], axis=0), "(2, ?, ?)"),
            (op("ConcatV2", const([2]), unknown([1]), const(0), shape=[2]), "(2, ?)"),
            (op("Concat", const(0), const([2]), const([3]), shape=[2]), "(2, 3)"),
            (FakeEagerTensor(np.array([2, -1])), "(2, ?)"),
        ],
    )
    def test_rules(self, tensor, text):
        assert str(constant_value_as_shape(tensor)) == text

    @pytest.mark.parametrize(
        "masks, text",
        [
            ({}, "(3,)"),
            ({"begin_mask": 1}, "(2, 3)"),
            ({"end_mask": 1}, "(3, ?)"),
            ({"shrink_axis_mask": 1}, "(?,)"),
            ({"begin_mask": 2}, "(?,)"),
        ],
    )
    def test_slices_of_shapes(self, masks, text):
        attrs = dict.fromkeys(("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0)
        length = 2 if masks in ({"begin_mask": 1}, {"end_mask": 1}) else 1
        shape = op("Shape", unknown([2, 3, None]), shape=[3])
        tensor = op("StridedSlice", shape, const([1]), const([2]), const([1]), **{**attrs, **masks}, shape=[length])
        assert str(constant_value_as_shape(tensor)) == text

    def test_scalars_must_be_minus_one(self):
        with pytest.raises(
            ValueError, match="^Received a scalar value '3' as shape; require a statically known scalar"
        ):
            constant_value_as_shape(const(3))
        with pytest.raises(ValueError, match="^Received a scalar with unknown value as shape;"):
            constant_value_as_shape(unknown([]))
        with pytest.raises(ValueError, match="must have rank 1"):
            constant_value_as_shape(unknown([1, 1]))


def test_is_tensor():
    assert tensor_util.is_tensor(const(1)) and tensor_util.is_tensor(FakeEagerTensor(1))
    assert not tensor_util.is_tensor(1) and not tensor_util.is_tensor(np.zeros(1))


def test_tensors_in_lists_are_no_constants():
    with pytest.raises(TypeError, match="^List of Tensors when single Tensor expected$"):
        tensor_util.make_tensor_proto([const(1), 2])
    with pytest.raises(TypeError, match="^Expected float32, got .* of type 'FakeTensor' instead.$"):
        tensor_util.make_tensor_proto([const(1), 2], dtypes.float32)


def test_sizes_beside_placeholders_of_unknown_shape_are_known():
    size, x = tf.placeholder(tf.int32), tf.placeholder(tf.float32)
    assert tf.reshape(x, [size, 37]).shape.as_list() == [None, 37]
    assert tf.reshape(x, [37, size]).shape.as_list() == [37, None]
    assert tf.zeros([size, 37]).shape.as_list() == [None, 37]
    assert tf.tile(tf.zeros([4, 4]), [size, 2]).shape.as_list() == [None, 8]
