"""The operators for `while` and `for`: Python loops, or `tf.while_loop` if the test or the iterable is a tensor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import FunctionType
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.autograph.operators.builtins import length
from tinytf._src.autograph.operators.folds import folded, is_foldable
from tinytf._src.autograph.operators.logic import none_of
from tinytf._src.autograph.operators.loop_variables import check_defined, check_iteration
from tinytf._src.autograph.operators.tensors import is_staged
from tinytf._src.autograph.operators.unbound import reads_locals
from tinytf._src.autograph.operators.unrolling import UnrollWatch
from tinytf._src.autograph.operators.variables import Place, Variables
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.ops.control_flow.conditional import cond
from tinytf._src.ops.control_flow.loops import while_loop
from tinytf._src.ops.data_flow.tensor_array_ops import TensorArray
from tinytf._src.ops.math.ranges import numbers_of

_Options = Callable[[], dict[str, Any]] | None
_Exits = Callable[[], tuple[Any, ...]] | None


@called_by_users
@reads_locals
def while_stmt(
    test: Callable[[], Any],
    body: Callable[[], None],
    local: FunctionType,
    needed: Sequence[str],
    after_error: Sequence[str],
    places: Sequence[Place],
    exits: _Exits,
    options: _Options,
) -> None:
    """Runs `body` while `test()` is true and no flag that `exits` yields is set.

    If the first test is a tensor, a `tf.while_loop` is built; the operations of the first test are then set aside.
    """
    begin = 0 if executing_eagerly() else get_default_graph().version
    variables = Variables(local, needed, after_error, places)
    before = variables.read_local()
    first = test()
    if is_staged(first):
        get_default_graph().set_aside(begin)
        if variables.write(before):
            test, body, own = _tested_after(test, body, exits)
            _staged(test, body, variables, None, options, own)
        else:
            _staged(test, body, variables, exits, options)
        return
    watch = UnrollWatch()
    while first:
        body()
        watch.count()
        if exits is not None and any(exits()):
            break
        first = test()


@called_by_users
@reads_locals
def for_stmt(
    iterable: Any,
    body: Callable[[Any], None],
    local: FunctionType,
    needed: Sequence[str],
    after_error: Sequence[str],
    places: Sequence[Place],
    exits: _Exits,
    options: _Options,
) -> None:
    """Calls `body` with each element until a flag that `exits` yields is set; loops over a tensor's rows by
    `tf.while_loop`, and over datasets and iterators in graphs by their `_fold`."""
    if is_foldable(iterable):
        folded(iterable, body, Variables(local, needed, after_error, places), exits)
        return
    if not is_staged(iterable):
        _run(iterable, body, exits)
        return
    variables = Variables(local, needed, after_error, places)
    tensor = convert_to_tensor(iterable)
    numbers = numbers_of(tensor)
    if numbers is not None:
        start, limit, delta = numbers
        step = constant_value(delta)
        _counted(
            start, delta, lambda i: _is_before(i, limit, delta, step), lambda i: i, body, variables, exits, options
        )
        return
    count = length(tensor)
    rows = TensorArray(tensor.dtype, size=count).unstack(tensor)
    _counted(0, 1, lambda i: i < count, rows.read, body, variables, exits, options)


def _tested_after(
    test: Callable[[], Any], body: Callable[[], None], exits: _Exits
) -> tuple[Callable[[], Any], Callable[[], None], list[Any]]:
    """Transforms a loop whose test assigns variables: the test runs before the loop and at the end of each iteration.

    Returns the new test, the new body and a list that holds the last test result. Raises ValueError if the loop has
    other exits.
    """
    if exits is not None:
        raise ValueError("A TensorFlow loop whose condition assigns variables cannot be left by break.")
    found = [test()]

    def iteration() -> None:
        body()
        found[0] = test()

    return lambda: found[0], iteration, found


def _run(iterable: Iterable[Any], body: Callable[[Any], None], exits: _Exits) -> None:
    for item in iterable:
        body(item)
        if exits is not None and any(exits()):
            break


def _is_before(index: Any, limit: Any, delta: Any, step: Any) -> Any:
    if step is not None:
        return index < limit if step >= 0 else index > limit
    return gen_ops.logical_or(
        gen_ops.logical_and(delta >= 0, index < limit), gen_ops.logical_and(delta < 0, index > limit)
    )


def _counted(
    start: Any,
    step: Any,
    is_within: Callable[[Any], Any],
    item: Callable[[Any], Any],
    body: Callable[[Any], None],
    variables: Variables,
    exits: _Exits,
    options: _Options,
) -> None:
    """Builds a staged loop with its own index."""
    index = [start]

    def test() -> Any:
        return is_within(index[0])

    def iteration() -> None:
        body(item(index[0]))
        index[0] = index[0] + step

    _staged(test, iteration, variables, exits, options, index)


def _staged(
    test: Callable[[], Any],
    body: Callable[[], None],
    variables: Variables,
    exits: _Exits,
    options: _Options,
    index: list[Any] | None = None,
) -> None:
    """Builds a `tf.while_loop`. `index` holds the loop variables that the program does not see."""
    check_defined(variables)
    before = variables.read()
    own = index or ([] if variables.needed else [0])  # tf.while_loop needs at least one variable
    count = len(own)

    def enter(values: Sequence[Any]) -> None:
        own[:] = values[:count]
        variables.write_needed(values[count:])
        variables.forget_others()

    def condition(*values: Any) -> Any:
        enter(values)
        if exits is None:
            return test()
        return cond(none_of(*exits()), test, lambda: False)

    def iteration(*values: Any) -> list[Any]:
        enter(values)
        body()
        after = variables.read_needed()
        check_iteration(variables.needed, values[count:], after)
        return [*own, *after]

    start = [*own, *variables.read_needed()]
    asked = {} if options is None else options()
    try:
        results = while_loop(condition, iteration, start, return_same_structure=True, **asked)
    finally:
        variables.write(before)
    variables.write_needed(results[count:])
    variables.forget_others()
