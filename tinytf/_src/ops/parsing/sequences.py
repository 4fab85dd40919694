"""Parsing of serialized SequenceExamples."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.values.tensor_shape import as_shape
from tinytf._src.ops.parsing.examples import by_key, default_value
from tinytf._src.ops.parsing.features import FixedLenFeature, FixedLenSequenceFeature, RawFeatures, VarLenFeature


@tf_export("io.parse_sequence_example")
@called_by_users
def parse_sequence_example(
    serialized: Any,
    context_features: Any = None,
    sequence_features: Any = None,
    example_names: Any = None,
    name: str | None = None,
) -> tuple[dict[Any, Any], dict[Any, Any], dict[Any, Any]]:
    """Parses a batch of serialized SequenceExamples; errors are as in `parse_example`.

    Args:
      serialized: string vector [batch].
      context_features: dict from keys of the context to FixedLenFeature or VarLenFeature.
      sequence_features: dict from keys of feature lists to FixedLenSequenceFeature (a tensor of shape [batch, longest]
        + shape, padded with zeros) or VarLenFeature (a SparseTensor of rank 3).
      example_names: optional string vector [batch], used in error messages.
      name: optional name of the operation.

    Returns:
      Three dicts: the context features, the feature lists, and the lengths of the FixedLenSequenceFeatures as int64
        vectors.

    Raises:
      ValueError: if there are no features, or if a feature is invalid.
    """
    context, lists = _raw(context_features, sequence_features)
    with name_scope(name, "ParseSequenceExample", [serialized]):
        may_miss = _checked(context, lists)
        defaults = [
            default_value(key, context.dense_defaults.get(key), dtype, None)
            for key, dtype in zip(context.dense_keys, context.dense_types, strict=True)
        ]
        outputs = gen_ops.parse_sequence_example(
            serialized,
            [] if example_names is None else example_names,
            defaults,
            feature_list_dense_missing_assumed_empty=may_miss,
            context_sparse_keys=context.sparse_keys,
            context_dense_keys=context.dense_keys,
            feature_list_sparse_keys=lists.sparse_keys,
            feature_list_dense_keys=lists.dense_keys,
            Ncontext_sparse=len(context.sparse_keys),
            Ncontext_dense=len(context.dense_keys),
            Nfeature_list_sparse=len(lists.sparse_keys),
            Nfeature_list_dense=len(lists.dense_keys),
            context_sparse_types=context.sparse_types,
            feature_list_dense_types=lists.dense_types,
            context_dense_shapes=[as_shape(shape) for shape in context.dense_shapes],
            feature_list_sparse_types=lists.sparse_types,
            feature_list_dense_shapes=[as_shape(shape) for shape in lists.dense_shapes],
            name=name,
        )
        lengths = dict(zip(lists.dense_keys, outputs[8], strict=True))
        return by_key(context, *outputs[:4]), by_key(lists, *outputs[4:8]), lengths


@tf_export("io.parse_single_sequence_example", "parse_single_sequence_example")
@called_by_users
def parse_single_sequence_example(
    serialized: Any,
    context_features: Any = None,
    sequence_features: Any = None,
    example_name: Any = None,
    name: str | None = None,
) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Parses one serialized SequenceExample; errors are as in `parse_example`.

    Args:
      serialized: string scalar.
      context_features, sequence_features: as in `parse_sequence_example`.
      example_name: optional string scalar, used in error messages.
      name: optional name of the operation.

    Returns:
      Two dicts without batch dimensions: the context features and the feature lists.

    Raises:
      ValueError: if there are no features, or if a feature is invalid.
    """
    context, lists = _raw(context_features, sequence_features)
    with name_scope(name, "ParseSingleSequenceExample", [serialized]):
        may_miss = _checked(context, lists)
        features = zip(context.dense_keys, context.dense_types, context.dense_shapes, strict=True)
        defaults = [default_value(key, context.dense_defaults.get(key), dtype, shape) for key, dtype, shape in features]
        outputs = gen_ops.parse_single_sequence_example(
            serialized,
            may_miss,
            context.sparse_keys,
            context.dense_keys,
            lists.sparse_keys,
            lists.dense_keys,
            defaults,
            "" if example_name is None else example_name,
            context_sparse_types=context.sparse_types,
            feature_list_dense_types=lists.dense_types,
            context_dense_shapes=[as_shape(shape) for shape in context.dense_shapes],
            feature_list_sparse_types=lists.sparse_types,
            feature_list_dense_shapes=[as_shape(shape) for shape in lists.dense_shapes],
            name=name,
        )
        return by_key(context, *outputs[:4]), by_key(lists, *outputs[4:])


def _raw(context_features: Any, sequence_features: Any) -> tuple[RawFeatures, RawFeatures]:
    if not (context_features or sequence_features):
        raise ValueError("Missing features.")
    return (
        RawFeatures(context_features, (VarLenFeature, FixedLenFeature)),
        RawFeatures(sequence_features, (VarLenFeature, FixedLenSequenceFeature)),
    )


def _checked(context: RawFeatures, lists: RawFeatures) -> list[Any]:
    """Returns the keys of lists that may be missing. Raises ValueError if features contradict each other."""
    context.check("context_")
    lists.check("feature_list_")
    for key, value in lists.dense_defaults.items():
        if value is not None:
            raise ValueError(f"Value feature_list_dense_defaults[{key}] must be None")
    return list(lists.dense_defaults)
