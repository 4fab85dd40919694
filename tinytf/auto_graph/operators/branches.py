"""`if`: a branch of Python's, or of the graph where a tensor decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from tinytf.auto_graph.jumps import VALUE
from tinytf.auto_graph.nodes import is_own
from tinytf.auto_graph.operators.tensors import as_tensor, becomes_tensor, is_staged
from tinytf.auto_graph.operators.variables import UNDEFINED, Place, Variables
from tinytf.framework import nest
from tinytf.framework.constant_op import constant
from tinytf.framework.error_traceback import called_by_users
from tinytf.ops.control_flow.conditional import cond


@called_by_users
def if_stmt(
    test: Any,
    body: Callable[[], None],
    orelse: Callable[[], None] | None,
    local: FunctionType,
    needed: Sequence[str],
    places: Sequence[Place],
) -> None:
    """Runs `body` or `orelse`; where the test is a tensor both, to build the branches of a `tf.cond`.

    ValueError for variables that one branch leaves undefined, TypeError for those whose values cannot stand for each other.
    """
    if not is_staged(test):
        if test:
            body()
        elif orelse is not None:
            orelse()
        return
    variables = Variables(local, needed, places)
    before = variables.read()

    def branch(function: Callable[[], None] | None, name: str) -> Callable[[], list[Any]]:
        def values() -> list[Any]:
            variables.write(before)
            if function is not None:
                function()
            found = variables.read_needed()
            _check_defined(variables.needed, found, name)
            return found

        return values

    try:
        results = merged(test, branch(body, "if"), branch(orelse, "else"), variables.needed)
    finally:
        variables.write(before)
    variables.write_needed(results)


def merged(
    test: Any, body: Callable[[], list[Any]], orelse: Callable[[], list[Any]], names: Sequence[str]
) -> list[Any]:
    """What the one or the other function yields, as the test has it. What is no tensor, and no value of one, must be the
    same in both."""
    given: list[list[Any]] = []
    made: list[list[Any]] = []

    def branch(function: Callable[[], list[Any]]) -> Callable[[], list[Any]]:
        def tensors() -> list[Any]:
            given.append(function())
            made.append([nest.map_structure(_result, value) for value in given[-1]])
            if len(made) == 2:
                for name, on, off in zip(names, *made, strict=True):
                    _check_alike(name, on, off)
            return [*filter(becomes_tensor, nest.flatten(made[-1])), constant(True)]

        return tensors

    tensors = iter(cond(test, branch(body), branch(orelse), strict=True)[:-1])
    leaves = [next(tensors) if becomes_tensor(leaf) else leaf for leaf in nest.flatten(made[1])]
    values = nest.pack_sequence_as(made[1], leaves)
    return [
        on if is_own(name) and isinstance(on, bool) and on is off else value  # a flag that is the same in both
        for name, on, off, value in zip(names, *given, values, strict=True)
    ]


def _result(value: Any) -> Any:
    return as_tensor(value) if becomes_tensor(value) else value


def _check_alike(name: str, on: Any, off: Any) -> None:
    """TypeError if what a variable is in one branch cannot stand for what it is in the other."""
    try:
        nest.assert_same_structure(on, off, expand_composites=True)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f'"{name}" does not have the same nested structure in the TRUE and FALSE branches.\n\n{error}'
        ) from None
    for one, other in zip(nest.flatten(on), nest.flatten(off), strict=True):
        if not (becomes_tensor(one) and becomes_tensor(other)):
            if one is not other:
                raise TypeError(
                    f'"{name}" is {_shown(one)} in the TRUE branch, but {_shown(other)} in the FALSE branch. TensorFlow '
                    "control flow requires that it is a tensor in both, or the same object."
                )
        elif hasattr(one, "dtype") and hasattr(other, "dtype") and one.dtype.base_dtype != other.dtype.base_dtype:
            raise TypeError(
                f'"{name}" has dtype {one.dtype.name} in the TRUE branch, but dtype={other.dtype.name} in the FALSE '
                "branch. TensorFlow control flow requires that they are the same."
            )


def _shown(value: Any) -> str:
    if value is None:
        return "None"
    return "a tensor" if becomes_tensor(value) else f"an object of {type(value)}"


def _check_defined(names: Sequence[str], values: Sequence[Any], branch: str) -> None:
    missing = [name for name, value in zip(names, values, strict=True) if value is UNDEFINED]
    if any(not is_own(name) for name in missing):
        shown = tuple(name for name in missing if not is_own(name))
        raise ValueError(
            f"The following symbols must also be initialized in the {branch} branch: {shown}. Alternatively, you may "
            "initialize them before the if statement."
        )
    if VALUE in missing:
        raise ValueError(
            f"A value must also be returned from the {branch} branch. If a value is returned from one branch of a "
            "conditional a value must be returned from all branches."
        )
