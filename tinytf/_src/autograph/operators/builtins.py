"""Overloads of Python's builtin functions that also accept tensors."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from types import FunctionType
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.autograph.operators.tensors import is_staged
from tinytf._src.autograph.operators.variables import UNDEFINED, cell_value, cells
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.control_flow.assertions import Assert
from tinytf._src.ops.control_flow.conditional import cond
from tinytf._src.ops.control_flow.tensor_arrays import is_tensor_array

_NOT_GIVEN = object()
_TENSOR = object()  # placeholder of a tensor among printed values


@called_by_users
def abs_(x: Any) -> Any:
    """`abs`."""
    from tinytf._src.ops.math.arithmetic import abs as tensor_abs

    return tensor_abs(x) if is_staged(x) else abs(x)


@called_by_users
def float_(x: Any = 0) -> Any:
    """`float`; a tensor is cast to float32."""
    return _number(x, dtypes.float32) if is_staged(x) else float(x)


@called_by_users
def int_(x: Any = 0, base: Any = _NOT_GIVEN) -> Any:
    """`int`; a tensor is cast to int32. Raises NotImplementedError for a tensor with a base other than 10."""
    if not is_staged(x):
        return int(x) if base is _NOT_GIVEN else int(x, base)
    if base not in (10, _NOT_GIVEN):
        raise NotImplementedError(f"base {base} not supported for int")
    return _number(x, dtypes.int32)


def _number(x: Any, dtype: dtypes.DType) -> Any:
    from tinytf._src.ops.math.casting import cast

    return cast(x, dtype)


@called_by_users
def len_(x: Any) -> Any:
    """`len`; for a tensor the size of its first dimension, an int if that is static."""
    if is_tensor_array(x):
        return x.size()
    return length(convert_to_tensor(x)) if is_staged(x) else len(x)


def length(x: Any) -> Any:
    """Returns the size of the first dimension. Raises ValueError for a scalar; a scalar of unknown rank fails at run
    time."""
    if x.shape.ndims == 0:
        raise ValueError(f"len requires a non-scalar tensor, got one of shape {x.shape}")
    if x.shape.ndims is not None:
        known = x.shape.as_list()[0]
        return gen_ops.shape(x)[0] if known is None else known
    rank = gen_ops.rank(x)

    def rows() -> Any:
        return gen_ops.shape(x)[0]

    def refused() -> Any:
        from tinytf._src.framework.scopes.name_scope import control_dependencies

        with control_dependencies([Assert(False, ["len requires non-zero rank, got 0"])]):
            return convert_to_tensor(0)

    return cond(rank > 0, rows, refused)


@called_by_users
def range_(start_or_stop: Any, stop: Any = _NOT_GIVEN, step: Any = _NOT_GIVEN) -> Any:
    """`range`; a tensor if one of the arguments is."""
    given = [n for n in (start_or_stop, stop, step) if n is not _NOT_GIVEN]
    if not any(map(is_staged, given)):
        return range(*given)
    from tinytf._src.ops.math.ranges import range as tensor_range

    if step is not _NOT_GIVEN:
        return tensor_range(start_or_stop, stop, step)
    if stop is not _NOT_GIVEN:
        return tensor_range(start_or_stop, gen_ops.maximum(start_or_stop, stop))
    return tensor_range(gen_ops.maximum(start_or_stop, 0))


@called_by_users
def enumerate_(iterable: Any, start: Any = 0) -> Any:
    """`enumerate`; of a dataset, the dataset of pairs."""
    return iterable.enumerate(start) if _is_dataset(iterable) else enumerate(iterable, start)


@called_by_users
def zip_(*iterables: Any, **options: Any) -> Any:
    """`zip`; of datasets, the dataset of tuples."""
    if iterables and not options and all(map(_is_dataset, iterables)):
        return iterables[0].zip(iterables)
    return zip(*iterables, **options)


def _is_dataset(value: Any) -> bool:
    return hasattr(type(value), "_variant_tensor") and hasattr(type(value), "enumerate")


@called_by_users
def print_(*values: Any, sep: str | None = " ", end: str | None = "\n", file: Any = None, flush: bool = False) -> None:
    """`print`; values of tensors are printed when the graph runs."""
    if not any(map(is_staged, values)):
        print(*values, sep=sep, end=end, file=file, flush=flush)
        return
    from tinytf._src.ops.script.script_ops import py_func

    tensors = [value for value in values if is_staged(value)]
    parts = [_TENSOR if is_staged(value) else value for value in values]

    def show(*arrays: Any) -> None:
        found = iter(arrays)
        shown = [_text(next(found)) if part is _TENSOR else part for part in parts]
        print(*shown, sep=sep, end=end, file=file, flush=True)

    py_func(show, tensors, [])


def _text(value: Any) -> Any:
    return value.decode(errors="replace") if isinstance(value, bytes) else value


def names_in(function: Callable[..., Any], visible: FunctionType) -> Any:
    """Calls `locals`, `vars` or `dir` for the variables that `visible` captures; another function is called
    as it is."""
    if function not in (builtins.locals, builtins.vars, builtins.dir):
        return function()
    found = _values(visible)
    return sorted(found) if function is builtins.dir else found


def scope_for(function: Callable[..., Any], visible: FunctionType) -> tuple[Any, ...]:
    """Returns the globals and locals, captured by `visible`, to pass to `eval` and `exec`; nothing for
    other functions."""
    return (visible.__globals__, _values(visible)) if function in (builtins.eval, builtins.exec) else ()


def _values(visible: FunctionType) -> dict[str, Any]:
    values = {name: cell_value(cell) for name, cell in cells(visible).items()}
    return {name: value for name, value in values.items() if value is not UNDEFINED}


OVERLOADS: dict[Any, Callable[..., Any]] = {
    abs: abs_,
    enumerate: enumerate_,
    float: float_,
    int: int_,
    len: len_,
    range: range_,
    zip: zip_,
}


def set_item(value: Any, owner: Any, key: Any) -> Any:
    """Performs `owner[key] = value` and returns the owner: the same object, or a new tensor if it is a tensor."""
    if not is_staged(owner):
        owner[key] = value
        return owner
    return gen_ops.tensor_scatter_update(owner, [[key]], [value])
