"""`assert_shapes`: consistency checks of the dimensions of several tensors."""

from __future__ import annotations

from typing import Any, NamedTuple

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import control_dependencies, name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.ops import array_ops
from tinytf._src.ops.checks.check_ops import assert_rank, assert_rank_at_least, assert_rank_in
from tinytf._src.ops.control_flow.assertions import Assert
from tinytf._src.ops.control_flow.dependencies import group


class _Wanted(NamedTuple):
    """A tensor and its expected sizes; they apply to the last dimensions only if `more` dimensions may precede them."""

    tensor: Tensor
    sizes: tuple[Any, ...]
    more: bool


@tf_export("debugging.assert_shapes")
@called_by_users
def assert_shapes(
    shapes: Any, data: Any = None, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> Operation:
    """Asserts the shapes of several tensors, where equal symbols stand for equal sizes.

    Args:
      shapes: list of pairs of a tensor and a shape, or a dict. A shape is an iterable of sizes, or None for any shape.
        A size is an int (or its text), None or "." for any size, or a symbol; the first may be "*", "..." or Ellipsis
        for any number of dimensions. A scalar counts as a vector of one element.
      data: optional list of tensors to print on failure instead of the sizes.
      summarize: optional int, number of elements to print per tensor.
      message: optional prefix of the error text.
      name: optional name of the name scope.

    Returns:
      An operation that fails with InvalidArgumentError if a shape does not match; None in eager execution.

    Raises:
      ValueError: if known sizes differ, if a shape is not iterable, or if "..." is not the first entry.

    Example:
      tf.debugging.assert_shapes([(x, ("N", "Q")), (y, ("N", 3)), (z, ("...", "Q"))])
    """
    message = message or ""
    pairs = list(shapes.items() if isinstance(shapes, dict) else shapes)
    with name_scope(name, "assert_shapes", [*(x for x, _ in pairs), *(data or [])]):
        wanted = [_wanted(convert_to_tensor(x), shape, message) for x, shape in pairs if shape is not None]
        sizes = [_sizes_of(one.tensor) for one in wanted]
        options = {"data": data, "summarize": summarize, "message": message, "name": name}
        ranks = [check for one in wanted for check in _rank_checks(one, options)]
        checks = _size_checks(wanted, sizes, data, summarize, message)
        with control_dependencies([check for check in ranks if check is not None]):
            return group(checks)


def _label(tensor: Tensor) -> str:
    return f"shape={tensor.shape} dtype={tensor.dtype.name}" if executing_eagerly() else tensor.name


def _wanted(tensor: Tensor, shape: Any, message: str) -> _Wanted:
    if not hasattr(shape, "__iter__") and not hasattr(shape, "__getitem__"):
        raise ValueError(
            f"{message}.  Tensor {_label(tensor)}.  Specified shape must be an iterable.  An iterable has the attribute "
            f"`__iter__` or `__getitem__`.  Received specified shape: {shape}"
        )
    sizes = tuple(shape)
    for i, size in enumerate(sizes):
        if i > 0 and (size is Ellipsis or size == "*"):
            raise ValueError(
                f"{message}.  Tensor {_label(tensor)} specified shape index {i}.  Symbol `...` or `*` for a variable number "
                "of unspecified dimensions is only allowed as the first entry"
            )
    more = bool(sizes) and (sizes[0] is Ellipsis or sizes[0] == "*")
    return _Wanted(tensor, (sizes[1:] if more else sizes) or (1,), more)


def _sizes_of(tensor: Tensor) -> Any:
    """Returns the size of each dimension, an int if it is known; a scalar has one dimension of size 1."""
    dynamic = array_ops.shape(tensor)
    if tensor.shape.ndims is None:
        return array_ops.concat([dynamic, [1]], 0)[: gen_ops.maximum(array_ops.size(dynamic), 1)]
    return [dynamic[i] if size is None else size for i, size in enumerate(tensor.shape.as_list())] or [1]


def _rank_checks(one: _Wanted, options: dict[str, Any]) -> list[Any]:
    rank = len(one.sizes)
    if one.more:
        return [assert_rank_at_least(one.tensor, rank, **options)] if rank > 1 else []
    if rank > 1:
        return [assert_rank(one.tensor, rank, **options)]
    return [assert_rank_in(one.tensor, [0, 1], **options)]


def _number(size: Any) -> int | None:
    """Returns the size as an int if it is a number or the text of one, otherwise None."""
    try:
        return int(size)
    except (TypeError, ValueError):
        return None


def _size_checks(wanted: list[_Wanted], actual: list[Any], data: Any, summarize: Any, message: str) -> list[Any]:
    known: dict[Any, tuple[Any, Tensor, int]] = {}  # By symbol: its size, and the tensor and dimension that define it.
    checks = []
    for one, sizes in zip(wanted, actual, strict=True):
        for i, symbol in enumerate(one.sizes):
            if symbol is None or symbol == ".":
                continue
            dimension = i - len(one.sizes) if one.more else i
            size = sizes[dimension]
            expected, reason = _number(symbol), "Specified explicitly"
            if expected is None:
                if symbol not in known:
                    known[symbol] = (size, one.tensor, dimension)
                    continue
                expected, tensor, at = known[symbol]
                reason = f"Specified by tensor {_label(tensor)} dimension {at}"
            if isinstance(size, int) and isinstance(expected, int):
                if size != expected:
                    raise ValueError(
                        f"{message}.  {reason}.  Tensor {_label(one.tensor)} dimension {dimension} must have size "
                        f"{expected}.  Received size {size}, shape {one.tensor.shape}"
                    )
                continue
            condition = gen_ops.equal(convert_to_tensor(size), convert_to_tensor(expected))
            told = data
            if told is None:
                place = f"Tensor {_label(one.tensor)} dimension"
                told = [message, reason, place, dimension, "must have size", expected, "Received shape: "]
                told.append(array_ops.shape(one.tensor))
            checks.append(Assert(condition, told, summarize=summarize))
    return checks
