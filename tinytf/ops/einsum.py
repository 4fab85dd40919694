"""Einstein summation as transposes, products and sums."""

from __future__ import annotations

import re
from typing import Any

from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.name_scope import name_scope
from tinytf.framework.tensor import Tensor
from tinytf.ops.joining import concat
from tinytf.ops.moving import transpose
from tinytf.ops.products import matmul
from tinytf.ops.reductions import reduce_prod, reduce_sum
from tinytf.ops.shape_ops import expand_dims, reshape, shape

__all__ = ["einsum"]

_EQUATION = re.compile(r"([A-Za-z,]+)(->[A-Za-z]*)?\Z")


def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Tensor:
    """The sum of products over labelled axes: "ij,jk->ik" is the matrix product.

    A label names an axis; labels that the output does not have are summed over. Without "->" the output has the labels
    that occur once, in alphabetical order. Keyword: `name`. ValueError for malformed equations, labels that repeat
    within an input, and inputs of another rank; TypeError for other keywords.
    """
    name = kwargs.pop("name", None)
    if kwargs:
        raise TypeError(f"invalid keyword arguments for this function: {', '.join(sorted(kwargs))}")
    with name_scope(name, "einsum", [equation, *inputs]):
        tensors = [convert_to_tensor(value, name=f"input_{i}") for i, value in enumerate(inputs)]
        labels, output = _parse(equation, tensors)
        result, current = tensors[0], labels[0]
        for i, (tensor, own) in enumerate(zip(tensors[1:], labels[1:], strict=True), 2):
            needed = set(output).union(*labels[i:])
            result, current = _contract(result, current, tensor, own, (set(current) & set(own)) - needed)
        axes = [i for i, label in enumerate(current) if label not in output]
        if axes:
            result = reduce_sum(result, axis=axes)
            current = "".join(label for label in current if label in output)
        if sorted(current) != sorted(output):
            raise ValueError(f"Invalid equation: {equation}")
        return _permuted(result, [current.index(label) for label in output])


def _parse(equation: str, tensors: list[Tensor]) -> tuple[list[str], str]:
    """Labels of each input and of the output."""
    if "..." in equation:
        raise ValueError("Subscripts with ellipses are not yet supported.")
    equation = equation.replace(" ", "")
    match = _EQUATION.match(equation)
    if match is None:
        raise ValueError(f"Indices have incorrect format: {equation}")
    labels = match.group(1).split(",")
    if len(labels) != len(tensors):
        raise ValueError(f"Incorrect number of arguments for equation: {equation}")
    for own, tensor in zip(labels, tensors, strict=True):
        if len(set(own)) != len(own):
            raise ValueError(f"Subscript not supported: an axis appears more than once: {own}")
        if tensor.shape.ndims not in (None, len(own)):
            raise ValueError(f"Input of shape {tensor.shape} does not have the axes {own} of equation {equation}")
    everything = "".join(labels)
    if match.group(2) is not None:
        output = match.group(2)[2:]
    else:
        output = "".join(label for label in sorted(set(everything)) if everything.count(label) == 1)
    return labels, output


def _permuted(tensor: Tensor, perm: list[int]) -> Tensor:
    return tensor if perm == list(range(len(perm))) else transpose(tensor, perm)


def _contract(a: Tensor, a_labels: str, b: Tensor, b_labels: str, summed: set[str]) -> tuple[Tensor, str]:
    """The product of two tensors, summed over labels that both have; and its labels."""
    shared = [label for label in a_labels if label in b_labels and label not in summed]
    a_free = [label for label in a_labels if label not in b_labels]
    b_free = [label for label in b_labels if label not in a_labels]
    if not summed:
        result = "".join([*shared, *a_free, *b_free])
        return _spread(a, a_labels, result) * _spread(b, b_labels, result), result
    inner = sorted(summed)
    a = _permuted(a, [a_labels.index(label) for label in [*shared, *a_free, *inner]])
    b = _permuted(b, [b_labels.index(label) for label in [*shared, *inner, *b_free]])
    batch, rows, depth = len(shared), len(a_free), len(inner)
    product = matmul(_grouped(a, batch, rows), _grouped(b, batch, depth))
    if rows != 1 or len(b_free) != 1:
        sizes = concat([_extents(a, 0, batch + rows), _extents(b, batch + depth, None)], 0)
        product = reshape(product, sizes)
        known = [*_known(a)[: batch + rows], *_known(b)[batch + depth :]]
        product.set_shape(known)
    return product, "".join([*shared, *a_free, *b_free])


def _spread(tensor: Tensor, labels: str, result: str) -> Tensor:
    """`tensor` with the axes of `result`, of size 1 where it has none of that label."""
    tensor = _permuted(tensor, [labels.index(label) for label in result if label in labels])
    for position, label in enumerate(result):
        if label not in labels:
            tensor = expand_dims(tensor, position)
    return tensor


def _known(tensor: Tensor) -> list[Any]:
    return tensor.shape.as_list()


def _extents(tensor: Tensor, start: int, stop: int | None) -> Any:
    return shape(tensor)[start:stop]


def _grouped(tensor: Tensor, batch: int, first: int) -> Tensor:
    """`tensor` with `first` axes behind the batch made one axis, and the rest made another."""
    ndims = len(_known(tensor))
    if first == 1 and ndims == batch + 2:
        return tensor
    known = _known(tensor)
    if tensor.shape.is_fully_defined():
        sizes = [_product(known[batch : batch + first]), _product(known[batch + first :])]
        return reshape(tensor, known[:batch] + sizes)
    outer, middle = _extents(tensor, 0, batch), _extents(tensor, batch, batch + first)
    rest = _extents(tensor, batch + first, None)
    return reshape(tensor, concat([outer, [reduce_prod(middle)], [reduce_prod(rest)]], 0))


def _product(sizes: list[int]) -> int:
    result = 1
    for size in sizes:
        result *= size
    return result
