"""Einstein summation, built from transpositions, products and sums."""

from __future__ import annotations

import math
import re
import string
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.ops.array.shape_ops import expand_dims, reshape, shape
from tinytf._src.ops.array.transposition import transpose
from tinytf._src.ops.linalg.products import matmul, trace
from tinytf._src.ops.math.reductions import reduce_sum

_ELLIPSIS = "0"  # Stands for "..." while an equation is parsed.
_EQUATION = re.compile(r"([A-Za-z0,]+)(->[A-Za-z0]*)?\Z")


@tf_export("linalg.einsum", "einsum")
def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Tensor:
    """Computes a sum of products over labeled axes, e.g. the matrix product for "ij,jk->ik".

    Each letter labels an axis. Labels that do not occur in the output are summed over. "..." stands for unlabeled axes,
    which are broadcast.

    Args:
      equation: str. Without "->", the output has the labels that occur once, in alphabetical order, after the axes of
        "..."; but a palindrome of one input ("ii", "ijji") means `tf.trace` over the two innermost axes.
      *inputs: tensors, one per comma-separated part of the equation.
      **kwargs: only `name`, the optional name of the name scope.

    Returns:
      A tensor with the axes of the output labels.

    Raises:
      ValueError: if the equation is malformed, repeats a label within an input, or does not match the inputs' ranks.
      TypeError: if there is another keyword argument.

    Example:
      product = tf.einsum("bij,bjk->bik", a, b)
    """
    name = kwargs.pop("name", None)
    if kwargs:
        raise TypeError(f"invalid keyword arguments for this function: {', '.join(sorted(kwargs))}")
    with name_scope(name, "einsum", [equation, *inputs]):
        tensors = [convert_to_tensor(value, name=f"input_{i}") for i, value in enumerate(inputs)]
        labels, output = _parse(equation, tensors)
        if len(labels) == 1 and "->" not in equation and _reads_as_trace(labels[0]):
            return trace(tensors[0])
        for own in labels:
            if len(set(own)) != len(own):
                raise ValueError(f"Subscript not supported: an axis appears more than once: {own}")
        if any(sum(label in own for own in labels) > 2 for label in set("".join(labels)) - set(output)):
            return _product_of_all(tensors, labels, output)
        result, current = tensors[0], labels[0]
        for tensor, own in zip(tensors[1:], labels[1:], strict=True):
            result, current = _contract(result, current, tensor, own, set(current) & set(own) - set(output))
        axes = [i for i, label in enumerate(current) if label not in output]
        if axes:
            result = reduce_sum(result, axis=axes)
            current = "".join(label for label in current if label in output)
        if sorted(current) != sorted(output):
            raise ValueError(f"Invalid equation: {equation}")
        return _permuted(result, [current.index(label) for label in output])


def _parse(equation: str, tensors: list[Tensor]) -> tuple[list[str], str]:
    """Returns the labels of each input and of the output, with new labels for the axes of "..."."""
    text = equation.replace(" ", "")
    if _ELLIPSIS in text:
        raise ValueError(f'Invalid character "{_ELLIPSIS}" in equation: {equation}')
    match = _EQUATION.match(text.replace("...", _ELLIPSIS))
    if match is None:
        raise ValueError(f"Indices have incorrect format: {equation}")
    labels = match.group(1).split(",")
    if len(labels) != len(tensors):
        raise ValueError(f'Got {len(tensors)} arguments for equation "{equation}", expecting {len(labels)}')
    unused = "".join(c for c in string.ascii_letters if c not in match.group(1))
    unlabelled = ""
    for i, own in enumerate(labels):
        if _ELLIPSIS in own:
            axes = _unlabelled_axes(own, tensors[i], unused)
            labels[i] = own.replace(_ELLIPSIS, axes)
            unlabelled = max(unlabelled, axes, key=len)
    if match.group(2) is not None:
        return labels, match.group(2)[2:].replace(_ELLIPSIS, unlabelled)
    everything = "".join(labels)
    once = sorted(label for label in set(everything) - set(unlabelled) if everything.count(label) == 1)
    return labels, unlabelled + "".join(once)


def _reads_as_trace(labels: str) -> bool:
    """Returns whether an equation without output means `tf.trace`: a palindrome in which each label occurs at most
    twice.
    """
    return labels == labels[::-1] and len(labels) > 1 and all(labels.count(label) <= 2 for label in labels)


def _unlabelled_axes(labels: str, tensor: Tensor, unused: str) -> str:
    """Returns labels, the last ones of `unused`, for the axes of `tensor` that the ellipsis in `labels` stands for."""
    if labels.count(_ELLIPSIS) > 1:
        raise ValueError("Unable to resolve ellipsis. Excess number found.")
    if tensor.shape.ndims is None:
        raise ValueError("Unable to statically infer ellipsis axes.")
    count = tensor.shape.ndims - (len(labels) - 1)
    if count < 0:
        raise ValueError("Ellipses lengths do not match.")
    if len(unused) < count:
        raise ValueError("Unable to resolve ellipsis, too many distinct labels.")
    return unused[len(unused) - count :]


def _permuted(tensor: Tensor, perm: list[int]) -> Tensor:
    return tensor if perm == list(range(len(perm))) else transpose(tensor, perm)


def _contract(a: Tensor, a_labels: str, b: Tensor, b_labels: str, summed: set[str]) -> tuple[Tensor, str]:
    """Returns the product of two tensors, summed over the common labels `summed`, and its labels."""
    for name, tensor, labels in (("t0", a, a_labels), ("t1", b, b_labels)):
        if tensor.shape.ndims != len(labels):
            raise ValueError(
                f"Tensor {name} of rank {tensor.shape.ndims} does not match einsum reduction of length {len(labels)}"
            )
    kept = sorted(set(a_labels) & set(b_labels) - summed)
    a_free = sorted(set(a_labels) - set(kept) - summed)
    b_free = sorted(set(b_labels) - set(kept) - summed)
    inner = sorted(summed)
    a = _permuted(a, [a_labels.index(label) for label in [*kept, *a_free, *inner]])
    b = _permuted(b, [b_labels.index(label) for label in [*kept, *inner, *b_free]])
    labels = "".join([*kept, *a_free, *b_free])
    if not inner:
        for _ in b_free:
            a = expand_dims(a, -1)
        for _ in a_free:
            b = expand_dims(b, len(kept))
        return gen_ops.mul(a, b), labels
    extents = _extents(a)
    batch, rows = extents[: len(kept)], extents[len(kept) : len(kept) + len(a_free)]
    depth = math.prod(extents[len(kept) + len(a_free) :])
    a = _reshaped(a, [*batch, math.prod(rows), depth])
    extents = _extents(b)
    columns = extents[len(kept) + len(inner) :]
    b = _reshaped(b, [*extents[: len(kept)], depth, math.prod(columns)])
    return _reshaped(matmul(a, b), [*batch, *rows, *columns]), labels


def _extents(tensor: Tensor) -> list[Any]:
    """Returns the size of each dimension: an int if it is known, otherwise a scalar tensor."""
    extents: list[Any] = tensor.shape.as_list()
    if None in extents:
        sizes = shape(tensor)
        return [sizes[i] if extent is None else extent for i, extent in enumerate(extents)]
    return extents


def _reshaped(tensor: Tensor, extents: list[Any]) -> Tensor:
    """Reshapes a tensor unless its static shape is already the wanted one."""
    return tensor if tensor.shape.as_list() == extents else reshape(tensor, extents)


def _product_of_all(tensors: list[Tensor], labels: list[str], output: str) -> Tensor:
    """Multiplies all tensors at once, broadcast over all axes; needed if more than two inputs have a summed label."""
    summed = sorted(set("".join(labels)) - set(output))
    order = [*summed, *output]
    product: Any = 1
    factors = []
    for i, (tensor, own) in enumerate(zip(tensors, labels, strict=True)):
        if tensor.shape.ndims != len(own):
            raise ValueError(
                f"Input {i} with axes {own} has incorrect number of dimensions (expected {len(own)}, "
                f"got {tensor.shape.ndims})"
            )
        sorted_own = sorted(own, key=order.index)
        factors.append((_permuted(tensor, [own.index(label) for label in sorted_own]), sorted_own))
    spread = []
    for tensor, axes in factors:
        sizes: list[Any] = tensor.shape.as_list()
        sizes = [-1 if size is None else size for size in sizes] if sizes.count(None) < 2 else _extents(tensor)
        extents = dict(zip(axes, sizes, strict=True))
        spread.append([extents.get(label, 1) for label in order])
    for j, label in enumerate(order):
        if len({extents[j] for extents in spread if isinstance(extents[j], int) and extents[j] > 1}) > 1:
            raise ValueError(f"Dimension mismatch on axis: {label}")
    for tensor in [reshape(t, extents) for (t, _), extents in zip(factors, spread, strict=True)]:
        product = product * tensor
    return reduce_sum(product, list(range(len(summed))))
