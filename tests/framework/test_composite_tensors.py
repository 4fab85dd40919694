"""Sparse tensors, indexed slices and tensor specs."""

import contextlib
import pickle
import sys
from types import ModuleType

import numpy as np
import pytest
from fakes import FakeTensor, const, unknown

import tinytf as tf
from tinytf._src.framework.composites.indexed_slices import IndexedSlices, IndexedSlicesValue
from tinytf._src.framework.composites.sparse_tensor import (
    SparseTensor,
    SparseTensorValue,
    convert_to_tensor_or_sparse_tensor,
    is_sparse,
)
from tinytf._src.framework.composites.tensor_spec import BoundedTensorSpec
from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.values import dtypes, tensor_util
from tinytf._src.framework.values.tensor_shape import TensorShape


@pytest.fixture
def ops(monkeypatch):
    """Replaces `convert_to_tensor` and `name_scope` by versions for the fakes."""

    @contextlib.contextmanager
    def name_scope(name, default_name=None, values=None):
        yield default_name

    def convert_to_tensor(value, dtype=None, name=None):
        return value if isinstance(value, FakeTensor) else const(value, dtype)

    for function, file in ((convert_to_tensor, "tensors.conversion"), (name_scope, "scopes.name_scope")):
        module = ModuleType("tinytf._src.framework." + file)
        setattr(module, function.__name__, function)
        monkeypatch.setitem(sys.modules, module.__name__, module)


class TestSparseTensor:
    def test_components(self, ops):
        sparse = SparseTensor([[0, 1], [2, 0]], [1.0, 2.0], [3, 4])
        assert (sparse.indices.dtype, sparse.values.dtype, sparse.dense_shape.dtype) == (
            dtypes.int64, dtypes.float32, dtypes.int64,
        )  # fmt: skip
        assert sparse.shape.as_list() == [3, 4] and sparse.get_shape().as_list() == [3, 4]
        assert sparse.dtype is dtypes.float32 and sparse.op is sparse.values.op and sparse.graph is sparse.indices.graph
        assert tensor_util.is_tensor(sparse) and is_sparse(sparse) and not is_sparse([1])
        assert str(sparse).startswith("SparseTensor(indices=<")

    @pytest.mark.parametrize(
        "indices, values, dense_shape",
        [
            ([[0, 1]], [1.0, 2.0], [3, 4]),
            ([[0, 1]], [1.0], [3]),
            ([0, 1], [1.0, 2.0], [3]),
            ([[0]], 1.0, [3]),
            ([[0]], [1.0], 3),
        ],
    )
    def test_shapes_must_agree(self, ops, indices, values, dense_shape):
        with pytest.raises(ValueError):
            SparseTensor(indices, values, dense_shape)

    def test_unknown_shapes_are_accepted(self, ops):
        sparse = SparseTensor(unknown(), unknown(), unknown([2]))
        assert sparse.shape.as_list() == [None, None]

    def test_values(self, ops):
        value = SparseTensorValue([[0]], [5], [2])
        sparse = SparseTensor.from_value(value)
        assert sparse.dtype is dtypes.int32 and SparseTensor.from_value(sparse).values is sparse.values
        with pytest.raises(TypeError, match=r"^Neither a SparseTensor nor SparseTensorValue: \[1\].$"):
            SparseTensor.from_value([1])

    def test_conversion(self, ops):
        sparse = SparseTensor([[0]], [5], [2])
        assert convert_to_tensor_or_sparse_tensor(sparse) is sparse
        assert isinstance(convert_to_tensor_or_sparse_tensor(SparseTensorValue([[0]], [5], [2])), SparseTensor)
        assert convert_to_tensor_or_sparse_tensor([1, 2], dtypes.float32).dtype is dtypes.float32
        with pytest.raises(RuntimeError, match="^Sparse dtype: requested = float32, actual = int32$"):
            convert_to_tensor_or_sparse_tensor(sparse, dtypes.float32)

    def test_consumers_once_each(self, ops):
        sparse = SparseTensor(unknown(), unknown(), unknown())
        sparse.indices.users, sparse.values.users = ["a", "b"], ["b", "c"]
        assert sparse.consumers() == ["a", "b", "c"]


class TestIndexedSlices:
    def test_components(self):
        values, indices = unknown([2, 3], dtypes.float32), const([4, 5])
        slices = IndexedSlices(values, indices)
        assert (slices.values, slices.indices, slices.dense_shape) == (values, indices, None)
        assert slices.dtype is dtypes.float32 and slices.op is values.op and slices.name == values.name
        assert slices.graph is values.graph and slices.device == "" and slices.consumers() == []
        assert str(slices) == f"IndexedSlices(indices={indices}, values={values})"
        assert str(IndexedSlices(values, indices, 7)).endswith(", dense_shape=7)")
        assert tensor_util.is_tensor(slices)

    def test_negative(self):
        slices = -IndexedSlices(unknown(), const([1]), const([3]))
        assert slices.values.op.type == "Neg" and slices.dense_shape is not None

    def test_value_is_a_tuple(self):
        assert IndexedSlicesValue(1, 2, None) == (1, 2, None)
        assert IndexedSlicesValue._fields == ("values", "indices", "dense_shape")


class TestTensorSpec:
    def test_text_and_equality(self):
        spec = TensorSpec([2, None], np.int64, "x")
        assert repr(spec) == "TensorSpec(shape=(2, ?), dtype=tf.int64, name='x')"
        assert spec == TensorSpec([2, None], "int64", "x") and hash(spec) == hash(TensorSpec([2, None], "int64", "x"))
        assert spec != TensorSpec([2, None], "int64") and spec != TensorSpec([2, 3], "int64", "x") and spec != 1
        assert pickle.loads(pickle.dumps(spec)) == spec and TensorSpec(None).dtype is dtypes.float32
        assert spec.is_discrete and not spec.is_continuous

    def test_sources_and_compatibility(self):
        with tf.Graph().as_default():
            tensor = tf.placeholder(tf.float32, [2, 3], name="placeholder")
        spec = TensorSpec.from_tensor(tensor)
        assert spec.name == "placeholder" and spec.is_compatible_with(tensor)
        assert TensorSpec([None, 3]).is_compatible_with(spec) and not TensorSpec([3, 3]).is_compatible_with(tensor)
        assert not TensorSpec([2, 3], "int32").is_compatible_with(tensor)
        assert TensorSpec.from_spec(spec, "y").name == "y" and TensorSpec.from_spec(spec).name == "placeholder"

    def test_common_spec(self):
        common = TensorSpec([1, 2]).most_specific_compatible_type(TensorSpec([1, 3]))
        assert common == TensorSpec([1, None])
        with pytest.raises(ValueError, match="^Types are not compatible: TensorSpec"):
            TensorSpec([1]).most_specific_compatible_type(TensorSpec([1], "int32"))

    def test_bounds(self):
        spec = BoundedTensorSpec([2, 3], "float32", [1, 2, 3], 5, "b")
        assert spec.minimum.tolist() == [1, 2, 3] and spec.maximum == 5 and not spec.minimum.flags.writeable
        assert pickle.loads(pickle.dumps(spec)) == spec and hash(pickle.loads(pickle.dumps(spec))) == hash(spec)
        assert spec != BoundedTensorSpec([2, 3], "float32", 1, 5, "b") and "minimum=array" in repr(spec)
        assert BoundedTensorSpec.from_spec(spec, "c").name == "c"
        limits = BoundedTensorSpec.from_spec(TensorSpec([2], "int8"))
        assert (limits.minimum, limits.maximum) == (-128, 127)
        for bad in ([1, 2], [[1], [2], [3]], None):
            with pytest.raises(ValueError, match="minimum"):
                BoundedTensorSpec([2, 3], "float32", bad, 5)

    def test_shape_is_a_shape(self):
        assert isinstance(TensorSpec(3).shape, TensorShape)
