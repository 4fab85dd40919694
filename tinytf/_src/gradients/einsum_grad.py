"""Gradient of Einsum, expressed as an Einsum of the gradient and the other input."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.gradients.support import conj, known_shape, shape, wants_gradient
from tinytf._src.ops import array_ops

_ELLIPSIS = "..."


@gradient_of("Einsum", free=True)
def _einsum(op: Any, grad: Any) -> Any:
    equation = op._raw_attr("equation").decode("latin-1")  # a label may be any byte
    if not equation.rpartition("->")[2].count(_ELLIPSIS):
        equation = equation.replace(_ELLIPSIS, "")  # the ellipsis covers no dimensions
    left, _, output = equation.rpartition("->")
    subscripts = left.split(",")
    gradients: list[Any] = []
    for i, (x, own) in enumerate(zip(op.inputs, subscripts, strict=True)):
        if not wants_gradient(op, i):
            gradients.append(None)
            continue
        others = [(s, conj(t)) for k, (s, t) in enumerate(zip(subscripts, op.inputs, strict=True)) if k != i]
        gradients.append(_by_input(x, own, [(output, grad), *others]))
    return gradients


def _by_input(x: Any, own: str, factors: list[tuple[str, Any]]) -> Any:
    """The gradient with respect to an input with subscripts `own`, from the gradient of the result and possibly the
    other input.

    First computes the product along the factors' labels, with broadcast dimensions in front. Then sums over dimensions
    along which `x` was broadcast. Finally adds the labels that only `x` has, and transposes to `own`.
    """
    found = "".join(s for s, _ in factors)
    labels = list(dict.fromkeys(own.replace(_ELLIPSIS, "")))
    kept = "".join(label for label in labels if label in found)
    summed = "".join(label for label in labels if label not in found)
    in_front = _ELLIPSIS if _ELLIPSIS in found else ""
    full = in_front + kept
    if not in_front and not summed:
        return _product(factors, own)
    if not in_front and len(factors) == 1:
        return _product([*factors, (summed, _ones(x, own, summed))], own)
    product = _product(factors, full)
    if in_front:
        product = _summed_to(product, _sizes(x, own, kept, with_ellipsis=True))
    if not summed and own in (full, kept):
        return product
    last = [((_ELLIPSIS if _ELLIPSIS in own else "") + kept, product)]
    return _product([*last, (summed, _ones(x, own, summed))] if summed else last, own)


def _product(factors: list[tuple[str, Any]], output: str) -> Any:
    equation = ",".join(s for s, _ in factors) + "->" + output
    return g.einsum([tensor for _, tensor in factors], equation=equation.encode("latin-1"))


def _ones(x: Any, own: str, labels: str) -> Any:
    return array_ops.ones(_sizes(x, own, labels), dtype=x.dtype)


def _sizes(x: Any, own: str, labels: str, with_ellipsis: bool = False) -> Any:
    """The sizes of `x` along these labels, after the sizes of its ellipsis if `with_ellipsis`: a tuple or a tensor."""
    before, ellipsis, after = own.partition(_ELLIPSIS)
    places = [before.index(label) if label in before else after.index(label) - len(after) for label in labels]
    unnamed = slice(len(before), -len(after) or None) if ellipsis else slice(0, 0)
    sizes = known_shape(x)
    if sizes is not None:
        return (*(sizes[unnamed] if with_ellipsis else ()), *(sizes[i] for i in places))
    dims = shape(x)
    pieces = [dims[unnamed]] if with_ellipsis else []
    return array_ops.concat([*pieces, *(dims[i, None] for i in places)], 0)


def _summed_to(full: Any, sizes: Any) -> Any:
    """`full` summed over the dimensions along which it was broadcast from `sizes`."""
    own = known_shape(full)
    if own is not None and own == sizes:
        return full
    axes = g.broadcast_gradient_args(shape(full), sizes)[1]
    return g.reshape(g.sum(full, axes), sizes)
