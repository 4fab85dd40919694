"""Parsing of serialized Examples."""

from __future__ import annotations

import re
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape
from tinytf._src.ops.array.shape_ops import expand_dims, rank, reshape, squeeze
from tinytf._src.ops.array.slicing import slice as slice_of
from tinytf._src.ops.control_flow.assertions import Assert
from tinytf._src.ops.control_flow.dependencies import with_dependencies
from tinytf._src.ops.parsing.features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    RawFeatures,
    SparseFeature,
    VarLenFeature,
)
from tinytf._src.ops.sparse.sparse_ops import merge

KINDS = (VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature)


@tf_export("io.parse_example", "parse_example")
@called_by_users
def parse_example(serialized: Any, features: Any, name: str | None = None, example_names: Any = None) -> dict[Any, Any]:
    """Parses a batch of serialized Examples.

    A string that is not an Example, and a feature of another type or length or missing without a default, raise
    InvalidArgumentError at run time.

    Args:
      serialized: string vector [batch].
      features: dict from keys to FixedLenFeature (a tensor of shape [batch] + shape), FixedLenSequenceFeature with
        `allow_missing` ([batch, longest] + shape), or VarLenFeature or SparseFeature (a SparseTensor whose first index
        is that of the Example).
      name: optional name of the operation.
      example_names: optional string vector [batch], used in error messages.

    Returns:
      A dict from keys to tensors and SparseTensors.

    Raises:
      ValueError: if there are no features, or if a feature is invalid.

    Example:
      parsed = tf.io.parse_example(serialized, {"x": tf.io.FixedLenFeature([2], tf.float32)})
      x = parsed["x"]
    """
    if not features:
        raise ValueError(f"Missing: features was {features}.")
    features = with_lengths(features)
    raw = RawFeatures(features, KINDS)
    return merged(features, _parse_batch(serialized, example_names, raw, name))


@tf_export("io.parse_single_example", "parse_single_example")
@called_by_users
def parse_single_example(
    serialized: Any, features: Any, name: str | None = None, example_names: Any = None
) -> dict[Any, Any]:
    """Parses one serialized Example; for many Examples `parse_example` is faster.

    Args:
      serialized: string scalar.
      features: as in `parse_example`.
      name: optional name of the operation.
      example_names: optional string scalar, used in error messages.

    Returns:
      A dict from keys to tensors and SparseTensors without a batch dimension.

    Raises:
      ValueError: if there are no features, or if a feature is invalid.
    """
    if not features:
        raise ValueError("Missing features.")
    features = with_lengths(features)
    raw = RawFeatures(features, KINDS)
    parse = _parse_single if example_names is None else _parse_named_single
    return merged(features, parse(serialized, example_names, raw, name))


def with_lengths(features: Any) -> dict[Any, Any]:
    """Returns the features with a leading dimension of unknown size in the shapes of sequences."""
    changed = dict(features)
    for key, feature in features.items():
        if isinstance(feature, FixedLenSequenceFeature):
            if not feature.allow_missing:
                raise ValueError("Unsupported: FixedLenSequenceFeature requires allow_missing to be True.")
            changed[key] = feature._replace(shape=[None, *feature.shape])
    return changed


def _parse_batch(serialized: Any, names: Any, raw: RawFeatures, name: str | None) -> dict[Any, Any]:
    with name_scope(name, "ParseExample", [serialized, names]):
        raw.check()
        shapes = [as_shape(shape) for shape in raw.dense_shapes]
        defaults = default_values(raw, shapes)
        outputs = gen_ops.parse_example(
            serialized,
            [] if names is None else names,
            raw.sparse_keys,
            raw.dense_keys,
            defaults,
            raw.sparse_types,
            shapes,
            name=name,
        )
        return by_key(raw, *outputs)


def _parse_single(serialized: Any, unused_names: Any, raw: RawFeatures, name: str | None) -> dict[Any, Any]:
    with name_scope(name, "ParseSingleExample", [serialized]):
        serialized = convert_to_tensor(serialized, name="serialized")
        raw.check()
        shapes = [as_shape(shape) for shape in raw.dense_shapes]
        defaults = default_values(raw, shapes)
        outputs = gen_ops.parse_single_example(
            serialized,
            defaults,
            len(raw.sparse_keys),
            raw.sparse_keys,
            raw.dense_keys,
            raw.sparse_types,
            shapes,
            name=name,
        )
        return by_key(raw, *outputs)


def _parse_named_single(serialized: Any, names: Any, raw: RawFeatures, name: str | None) -> dict[Any, Any]:
    """Parses a batch of one, because the op for a single Example has no input for names."""
    with name_scope(name, "ParseSingleExample", [serialized, names]):
        serialized = expand_dims(_scalar(serialized, "serialized"), 0)
        names = expand_dims(_scalar(names, "names"), 0)
        outputs = _parse_batch(serialized, names, raw, name)
        for key in raw.dense_keys:
            outputs[key] = squeeze(outputs[key], [0], name=f"Squeeze_{node_name(key)}")
        for key in raw.sparse_keys:
            sparse = outputs[key]
            outputs[key] = SparseTensor(
                slice_of(sparse.indices, [0, 1], [-1, -1], name=f"Slice_Indices_{node_name(key)}"),
                sparse.values,
                slice_of(sparse.dense_shape, [1], [-1], name=f"Squeeze_Shape_{node_name(key)}"),
            )
        return outputs


def _scalar(value: Any, argument: str) -> Tensor:
    """Returns the value, checked to be a scalar, at run time if its rank is unknown."""
    value = convert_to_tensor(value)
    dimensions = value.get_shape().ndims
    if dimensions is None:
        title = argument.capitalize()
        message = f"Input {argument} must be a scalar"
        check = Assert(gen_ops.equal(rank(value), 0), [message], name=f"{title}IsScalar")
        return with_dependencies([check], value, name=f"{title}Dependencies")
    if dimensions != 0:
        raise ValueError(f"Input {argument} must be a scalar")
    return value


def default_values(raw: RawFeatures, shapes: list[TensorShape]) -> list[Tensor]:
    """Returns the default or padding value of each dense feature; empty if there is none."""
    values = []
    for key, dtype, shape in zip(raw.dense_keys, raw.dense_types, shapes, strict=True):
        value = raw.dense_defaults.get(key)
        if shape.dims and shape.dims[0].value is None:
            if value is None:
                value = convert_to_tensor("" if dtype == dtypes.string else 0, dtype=dtype)
            else:
                value = convert_to_tensor(value, dtype=dtype, name=f"padding_{node_name(key)}")
                value = reshape(value, [])  # Fails unless there is exactly one element.
        else:
            value = default_value(key, value, dtype, shape)
        values.append(value)
    return values


def default_value(key: Any, value: Any, dtype: Any, shape: Any) -> Tensor:
    """Returns the default value of a feature, reshaped to `shape` if that is given; empty if there is none."""
    if value is None:
        return constant([], dtype=dtype)
    if not isinstance(value, Tensor):
        value = convert_to_tensor(value, dtype=dtype, name=f"key_{node_name(key)}")
        if shape is not None:
            value = reshape(value, shape)
    return value


def node_name(key: str) -> str:
    """Returns the key with characters that are illegal in node names replaced."""
    return re.sub(r"[^A-Za-z0-9_.\-/]", "_", key)


def by_key(raw: RawFeatures, indices: Any, values: Any, shapes: Any, dense: Any) -> dict[Any, Any]:
    """Returns the outputs of an op by the keys of the features."""
    sparse = [SparseTensor(*parts) for parts in zip(indices, values, shapes, strict=True)]
    return dict(zip([*raw.sparse_keys, *raw.dense_keys], [*sparse, *dense], strict=True))


def merged(features: dict[Any, Any], tensors: dict[Any, Any]) -> dict[Any, Any]:
    """Returns the tensors of the features; SparseFeatures are merged from their parts."""
    tensors = dict(tensors)
    for key in sorted(features):
        feature = features[key]
        if isinstance(feature, SparseFeature):
            index = feature.index_key
            ids = tensors[index] if isinstance(index, str) else [tensors[each] for each in index]
            tensors[key] = merge(ids, tensors[feature.value_key], feature.size, None, feature.already_sorted)
    return {key: tensor for key, tensor in tensors.items() if key in features}
