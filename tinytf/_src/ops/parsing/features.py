"""Descriptions of the features that are parsed from Examples."""

from __future__ import annotations

from typing import Any, NamedTuple

from tinytf._src.exports import tf_export
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import as_shape


class _VarLenFeature(NamedTuple):
    dtype: Any


@tf_export("io.VarLenFeature", "VarLenFeature")
class VarLenFeature(_VarLenFeature):
    """Describes a feature with any number of values, which is parsed to a SparseTensor.

    Args:
      dtype: dtype of the values.
    """


class _SparseFeature(NamedTuple):
    index_key: Any
    value_key: Any
    dtype: Any
    size: Any
    already_sorted: Any = False


@tf_export("io.SparseFeature", "SparseFeature")
class SparseFeature(_SparseFeature):
    """Describes a SparseTensor that is assembled from several features of an Example.

    Args:
      index_key: key of the feature with the index of each value, or list of keys with one per dimension.
      value_key: key of the feature with the values.
      dtype: dtype of the values.
      size: int, size of the dimension, or list of sizes.
      already_sorted: bool, whether the elements are in order; otherwise they are sorted.
    """


class _FixedLenFeature(NamedTuple):
    shape: Any
    dtype: Any
    default_value: Any = None


@tf_export("io.FixedLenFeature", "FixedLenFeature")
class FixedLenFeature(_FixedLenFeature):
    """Describes a feature of fixed shape.

    Args:
      shape: shape of the values.
      dtype: dtype of the values.
      default_value: optional value for Examples without the feature; without it they are errors.
    """


class _FixedLenSequenceFeature(NamedTuple):
    shape: Any
    dtype: Any
    allow_missing: Any = False
    default_value: Any = None


@tf_export("io.FixedLenSequenceFeature", "FixedLenSequenceFeature")
class FixedLenSequenceFeature(_FixedLenSequenceFeature):
    """Describes a feature with any number of blocks of fixed shape, which is parsed to a tensor of shape [None] +
    shape.

    Args:
      shape: shape of a block.
      dtype: dtype of the values.
      allow_missing: bool, whether the feature may be missing; must be True for Examples.
      default_value: optional value that pads shorter sequences of a batch; defaults to 0 or "".
    """


class RawFeatures:
    """Features in the form of op arguments, in the order of their keys."""

    def __init__(self, features: Any, allowed: tuple[type, ...]) -> None:
        """Raises ValueError if features are incomplete, contradict each other, or are not of the allowed kinds."""
        self.sparse_keys: list[Any] = []
        self.sparse_types: list[Any] = []
        self.dense_keys: list[Any] = []
        self.dense_types: list[Any] = []
        self.dense_defaults: dict[Any, Any] = {}
        self.dense_shapes: list[Any] = []
        for key in sorted(features or ()):
            feature = features[key]
            kind = next((kind for kind in _ADD if isinstance(feature, kind)), None)
            if kind is None:
                raise ValueError(f"Invalid feature {key}:{feature}.")
            if kind not in allowed:
                raise ValueError(f"Unsupported {kind.__name__} {feature}.")
            _ADD[kind](self, key, feature)

    def _add_var_len(self, key: Any, feature: VarLenFeature) -> None:
        _check_type(key, feature)
        self.sparse_keys.append(key)
        self.sparse_types.append(feature.dtype)

    def _add_sparse(self, key: Any, feature: SparseFeature) -> None:
        for part in ("index_key", "value_key"):
            if not getattr(feature, part):
                raise ValueError(f"Missing {part} for SparseFeature {feature}.")
        _check_type(key, feature)
        index_keys = feature.index_key
        if isinstance(index_keys, str):
            index_keys = [index_keys]
        elif len(index_keys) > 1:
            tf_logging.warning(
                "SparseFeature is a complicated feature config and should only be used after careful consideration of "
                "VarLenFeature."
            )
        for index_key in sorted(index_keys):
            self._add_part(index_key, dtypes.int64, "int64")
        self._add_part(feature.value_key, feature.dtype, feature.dtype)

    def _add_part(self, key: Any, dtype: Any, shown: Any) -> None:
        """Adds a key that several features may share if they agree on its dtype."""
        if key not in self.sparse_keys:
            self.sparse_keys.append(key)
            self.sparse_types.append(dtype)
            return
        before = self.sparse_types[self.sparse_keys.index(key)]
        if before != dtype:
            raise ValueError(f"Conflicting type {before} vs {shown} for feature {key}.")

    def _add_fixed_len(self, key: Any, feature: FixedLenFeature) -> None:
        _check_type(key, feature)
        _check_shape(key, feature)
        shape = as_shape(feature.shape)
        if feature.shape and shape.dims and shape.dims[0].value is None:
            raise ValueError(
                f"First dimension of shape for feature {key} unknown. Consider using FixedLenSequenceFeature."
            )
        if not shape.is_fully_defined():
            raise ValueError(
                f"All dimensions of shape for feature {key} need to be known but received {feature.shape!s}."
            )
        self._add_dense(key, feature)

    def _add_sequence(self, key: Any, feature: FixedLenSequenceFeature) -> None:
        _check_type(key, feature)
        _check_shape(key, feature)
        self._add_dense(key, feature)
        if feature.allow_missing:
            self.dense_defaults.setdefault(key, None)

    def _add_dense(self, key: Any, feature: Any) -> None:
        self.dense_keys.append(key)
        self.dense_shapes.append(feature.shape)
        self.dense_types.append(feature.dtype)
        if feature.default_value is not None:
            self.dense_defaults[key] = feature.default_value

    def check(self, prefix: str = "") -> None:
        """Raises ValueError if a key is both dense and sparse."""
        both = set(self.dense_keys).intersection(self.sparse_keys)
        if both:
            names = f"{prefix}dense and {prefix}sparse" if prefix else "Dense and sparse"
            raise ValueError(f"{names} keys must not intersect; intersection: {both}")


def _check_type(key: Any, feature: Any) -> None:
    if not feature.dtype:
        raise ValueError(f"Missing type for feature {key}.")


def _check_shape(key: Any, feature: Any) -> None:
    if feature.shape is None:
        raise ValueError(f"Missing shape for feature {key}.")


_ADD: dict[type, Any] = {
    VarLenFeature: RawFeatures._add_var_len,
    SparseFeature: RawFeatures._add_sparse,
    FixedLenFeature: RawFeatures._add_fixed_len,
    FixedLenSequenceFeature: RawFeatures._add_sequence,
}
