"""Jacobians from a tape: one backward pass for each element of the target."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.nest import nest
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.ops import array_ops


def jacobian(tape: Any, target: Any, sources: Any, unconnected: Any, use_pfor: bool) -> Any:
    """Implements `GradientTape.jacobian`."""
    _check_usable(tape, use_pfor, "jacobian")
    with tape._ensure_recording():
        flat = array_ops.reshape(target, [-1])
        elements = array_ops.unstack(flat, num=_known_size(flat, "jacobian"))
    rows = _walks(tape, elements, nest.flatten(sources), unconnected)
    shape = array_ops.shape(target)
    joined = [_joined(row, shape) for row in zip(*rows, strict=True)]
    return nest.pack_sequence_as(sources, joined)


def batch_jacobian(tape: Any, target: Any, source: Any, unconnected: Any, use_pfor: bool) -> Any:
    """Implements `GradientTape.batch_jacobian`."""
    shape = target.shape.with_rank_at_least(2)
    if not shape[0].is_compatible_with(source.shape.with_rank_at_least(2)[0]):
        raise ValueError(
            f"Need first dimension of target shape ({target.shape}) and source shape ({source.shape}) to match."
        )
    _check_usable(tape, use_pfor, "batch_jacobian")
    target_shape, source_shape = array_ops.shape(target), array_ops.shape(source)
    with tape._ensure_recording():
        # One column for each element of a target row; one backward pass from a column serves all rows.
        flat = array_ops.reshape(target, array_ops.concat([array_ops.slice(target_shape, [0], [1]), [-1]], 0))
        columns = array_ops.transpose(flat)
        elements = array_ops.unstack(columns, num=_known_size(columns, "batch_jacobian"))
    rows = [row[0] for row in _walks(tape, elements, [source], unconnected)]
    if not rows or rows[0] is None:
        return None
    stacked = array_ops.stack([convert_to_tensor(row) for row in rows], axis=1)
    return array_ops.reshape(stacked, array_ops.concat([target_shape, array_ops.slice(source_shape, [1], [-1])], 0))


def _check_usable(tape: Any, use_pfor: bool, method: str) -> None:
    if tape._recording_of is None:
        raise RuntimeError("GradientTape.gradient can only be called once on non-persistent tapes.")
    if executing_eagerly() and not tape._persistent and not use_pfor:
        # TensorFlow's text has the two spaces and, in one case, the other method's name.
        raise RuntimeError(
            f"GradientTape must be created with persistent=True to compute the {method} with eager execution enabled and "
            " with experimental_use_pfor set to False."
        )


def _known_size(vector: Any, method: str) -> int:
    size = vector.shape[0].value
    if size is None:
        raise ValueError(f"GradientTape.{method} needs a target with a static number of elements.")
    return size


def _walks(tape: Any, elements: list[Any], sources: list[Any], unconnected: Any) -> list[list[Any]]:
    """Returns the gradients of each element by the sources. Uses up the tape unless it is persistent."""
    was_persistent = tape._persistent
    if tape._recording and not was_persistent:
        tape._pop_tape()
    tape._persistent = True
    try:
        return [tape.gradient(element, sources, None, unconnected) for element in elements]
    finally:
        tape._persistent = was_persistent
        if not was_persistent:
            tape._finish()


def _joined(row: tuple[Any, ...], shape: Any) -> Any:
    """Stacks the gradients of all elements of a target by one source."""
    if row[0] is None:
        return None
    stacked = array_ops.stack([convert_to_tensor(gradient) for gradient in row])
    return array_ops.reshape(stacked, array_ops.concat([shape, array_ops.shape(row[0])], 0))
