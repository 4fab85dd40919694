"""Makes branches return the same structure of tensors of the same dtypes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinytf._src.eager.control_flow.parts import Part
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.nest import nest
from tinytf._src.ops.control_flow.slices import with_long_indices
from tinytf._src.ops.control_flow.tensor_arrays import flow_of


def make_alike(parts: Sequence[Part], is_if: bool) -> None:
    """Converts corresponding IndexedSlices to a common index dtype. TypeError if a branch's structure or dtypes differ
    from the first's."""
    kind = "cond" if is_if else "switch_case"
    leaves = [nest.flatten(part.result) for part in parts]
    if len({len(found) for found in leaves}) == 1:
        for i, values in enumerate(zip(*leaves, strict=True)):
            sliced = [isinstance(value, IndexedSlices) for value in values]
            if any(sliced) and not all(sliced):
                raise TypeError(f"Cannot reconcile tf.{kind} {i}-th outputs:\n  branches returned: {values}")
            if all(sliced) and len({value.indices.dtype for value in values}) > 1:
                for part, found in zip(parts, leaves, strict=True):
                    _lengthen_indices(part, found, i)
    for i, part in enumerate(parts[1:], 1):
        difference = _difference(parts[0], part)
        if difference is not None:
            one, other = ("true_fn", "false_fn") if is_if else ("branches[0]", f"branches[{i}]")
            raise TypeError(
                f"{one} and {other} arguments to tf.{kind} must have the same number, type, and overall structure of return "
                f"values.\n\n{one} output: {parts[0].result}\n{other} output: {part.result}\n\nError details:\n{difference}"
            )


def _lengthen_indices(part: Part, leaves: list[Any], i: int) -> None:
    with part.building():
        leaves[i] = with_long_indices(leaves[i])
    part.result = nest.pack_sequence_as(part.result, leaves)
    part.outputs = [flow_of(leaf) for leaf in nest.flatten(part.result, expand_composites=True)]


def _difference(one: Part, other: Part) -> str | None:
    try:
        nest.assert_same_structure(one.result, other.result, expand_composites=True)
    except (TypeError, ValueError) as error:
        return str(error)
    for a, b in zip(one.outputs, other.outputs, strict=True):
        if a.dtype.base_dtype != b.dtype.base_dtype:
            return f"{a} and {b} have different types"
    return None
