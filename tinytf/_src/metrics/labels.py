"""Labels and predictions as sets of classes, for the metrics of the k best classes."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.composites.sparse_tensor import SparseTensor, convert_to_tensor_or_sparse_tensor, is_sparse
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array.constant_tensors import fill, ones_like
from tinytf._src.ops.array.gathering import where_v2
from tinytf._src.ops.array.joining import concat
from tinytf._src.ops.array.shape_ops import expand_dims, rank, reshape, shape, size
from tinytf._src.ops.control_flow.conditional import cond
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.reductions import reduce_max, reduced_shape
from tinytf._src.ops.sparse.set_ops import set_intersection
from tinytf._src.ops.sparse.sparse_parts import sparse_concat, sparse_reshape, sparse_retain


def at_k_name(name: str, k: int | None = None, class_id: int | None = None) -> str:
    """Returns the scope name of a metric of the `k` best classes."""
    name = f"{name}_at_k" if k is None else f"{name}_at_{int(k)}"
    return name if class_id is None else f"{name}_class{int(class_id)}"


def expanded_labels(labels: Any, predictions: Any) -> Any:
    """Returns the labels, dense or sparse, with a last dimension of size 1 added if their rank is one less than that of
    the predictions.
    """
    with name_scope(None, "expand_labels", (labels, predictions)) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            return cond(
                gen_ops.equal(rank(predictions), size(labels.dense_shape) + 1),
                lambda: sparse_reshape(labels, shape=concat((labels.dense_shape, (1,)), 0), name=scope),
                lambda: labels,
            )
        labels_rank, predictions_rank = labels.shape.ndims, None
        if labels_rank is not None:
            predictions_rank = predictions.get_shape().ndims
        if labels_rank is not None and predictions_rank is not None:
            if predictions_rank == labels_rank:
                return labels
            if predictions_rank == labels_rank + 1:
                return expand_dims(labels, -1, name=scope)
            raise ValueError(f"Unexpected labels shape {labels.shape} for predictions shape {predictions.get_shape()}.")
        return cond(
            gen_ops.equal(rank(predictions), rank(labels) + 1),
            lambda: expand_dims(labels, -1, name=scope),
            lambda: labels,
        )


def only_class(ids: Any, class_id: int) -> SparseTensor:
    """Returns the sets restricted to the class `class_id`."""
    ids = convert_to_tensor_or_sparse_tensor(ids)
    if isinstance(ids, SparseTensor):
        return sparse_retain(ids, gen_ops.equal(ids.values, class_id))
    ids_shape = shape(ids, out_type=dtypes.int64)
    last = size(ids_shape) - 1
    filled = fill(reduced_shape(ids_shape, reshape(last, [1])), cast(class_id, dtypes.int64))
    found = set_intersection(filled, ids)
    return SparseTensor(indices=found.indices, values=found.values, dense_shape=ids_shape)


def repeated(tensor: Any, multiple: int, dim: int = 0, name: str | None = None) -> Any:
    """Inserts a dimension before `dim` into a tensor or SparseTensor and repeats it `multiple` times along that
    dimension.
    """
    if multiple < 1:
        raise ValueError(f"Invalid multiple {multiple}, must be > 0.")
    with name_scope(name, "expand_and_tile", (tensor, multiple, dim)) as scope:
        tensor = convert_to_tensor_or_sparse_tensor(tensor)
        if isinstance(tensor, SparseTensor):
            return _repeated_sparse(tensor, multiple, dim, scope)
        expanded = expand_dims(tensor, dim if dim >= 0 else dim - 1, name="expand")
        if multiple == 1:
            return expanded
        ones = ones_like(shape(tensor))
        multiples = concat((ones[:dim], (multiple,), ones[dim:]), 0, name="multiples")
        return gen_ops.tile(expanded, multiples, name=scope)


def _repeated_sparse(tensor: SparseTensor, multiple: int, dim: int, scope: str | None) -> SparseTensor:
    before: Any = reshape(size(tensor.dense_shape) + dim, [1]) if dim < 0 else [dim]
    sizes = (gen_ops.slice(tensor.dense_shape, [0], before), [1], gen_ops.slice(tensor.dense_shape, before, [-1]))
    expanded = sparse_reshape(tensor, shape=concat(sizes, 0, name="expanded_shape"), name="expand")
    if multiple == 1:
        return expanded
    return sparse_concat(dim - 1 if dim < 0 else dim, [expanded] * multiple, name=scope)


def labels_in_range(labels: Any, num_classes: Any) -> Any:
    """Returns the labels with each value of at least `num_classes` replaced by -1."""

    def cleaned(values: Any) -> Any:
        return where_v2(gen_ops.greater_equal(values, num_classes), -1 * ones_like(values), values)

    def clean() -> Any:
        if not is_sparse(labels):
            return cleaned(labels)
        return type(labels)(indices=labels.indices, values=cleaned(labels.values), dense_shape=labels.dense_shape)

    largest = reduce_max(labels.values if is_sparse(labels) else labels)
    return cond(gen_ops.greater_equal(largest, num_classes), clean, lambda: labels)
