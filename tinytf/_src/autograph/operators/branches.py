"""The operator for `if`: a Python branch, or a `tf.cond` if the test is a tensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.autograph.jumps import RESULT, VALUE
from tinytf._src.autograph.nodes import is_own
from tinytf._src.autograph.operators.tensors import as_tensor, becomes_tensor, is_staged
from tinytf._src.autograph.operators.unbound import reads_locals
from tinytf._src.autograph.operators.variables import UNDEFINED, Place, Variables
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.nest import nest
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.control_flow.conditional import cond


@called_by_users
@reads_locals
def if_stmt(
    test: Any,
    body: Callable[[], None],
    orelse: Callable[[], None] | None,
    local: FunctionType,
    needed: Sequence[str],
    after_error: Sequence[str],
    places: Sequence[Place],
) -> None:
    """Runs `body` or `orelse`; if the test is a tensor, runs both to build the branches of a `tf.cond`.

    Raises ValueError for variables that one branch leaves undefined, and TypeError for values of the two branches that
    cannot be merged.
    """
    if not is_staged(test):
        if test:
            body()
        elif orelse is not None:
            orelse()
        return
    variables = Variables(local, needed, after_error, places)
    before = variables.read()

    def branch(function: Callable[[], None] | None, name: str) -> Branch:
        def values() -> list[Any]:
            variables.write(before)
            if function is not None:
                function()
            found = variables.read_needed()
            _check_defined(variables.needed, found, name)
            return found

        return name, values

    branches = branch(body, "if"), branch(orelse, "else")
    try:
        if _returns(orelse) and not _returns(body):  # trace the branch with the result first
            results = merged(gen_ops.logical_not(test), branches[1], branches[0], variables.needed)
        else:
            results = merged(test, *branches, variables.needed)
    finally:
        variables.write(before)
    variables.write_needed(results)
    variables.forget_others()


Branch = tuple[str, Callable[[], list[Any]]]  # name and function that yields the values


def _returns(branch: Any) -> bool:
    return branch is not None and RESULT in branch.__code__.co_freevars


def merged(test: Any, first: Branch, second: Branch, names: Sequence[str]) -> list[Any]:
    """Merges the values that two branches yield by `tf.cond`. Values that are not convertible to tensors must be
    identical."""
    given: list[list[Any]] = []
    made: list[list[Any]] = []

    def branch(function: Callable[[], list[Any]]) -> Callable[[], list[Any]]:
        def tensors() -> list[Any]:
            given.append(function())
            made.append([nest.map_structure(_result, value) for value in given[-1]])
            if len(made) == 2:
                _check_branches(names, (first[0], made[0]), (second[0], made[1]))
            found = list(filter(becomes_tensor, nest.flatten(made[-1])))
            return found or [constant(True)]  # tf.cond needs at least one output

        return tensors

    tensors = iter(cond(test, branch(first[1]), branch(second[1]), strict=True))
    leaves = [next(tensors) if becomes_tensor(leaf) else leaf for leaf in nest.flatten(made[1])]
    values = nest.pack_sequence_as(made[1], leaves)
    return [
        one if is_own(name) and isinstance(one, bool) and one is other else value  # flags that agree stay bools
        for name, one, other, value in zip(names, *given, values, strict=True)
    ]


def _check_branches(names: Sequence[str], first: tuple[str, list[Any]], second: tuple[str, list[Any]]) -> None:
    """Raises TypeError or ValueError if the values of two branches cannot be merged.

    A missing result of the second branch, which returns later, is replaced by a placeholder tensor that is never read.
    """
    for i, name in enumerate(names):
        one, other = first[1][i], second[1][i]
        if name == RESULT and (one is UNDEFINED) != (other is UNDEFINED):
            if one is UNDEFINED:
                raise _no_value(first[0])
            second[1][i] = nest.map_structure(lambda leaf: _stand_in(leaf, second[0]), one)
            continue
        on, off = (one, other) if first[0] == "if" else (other, one)
        _check_alike(name, on, off)


def _stand_in(value: Any, branch: str) -> Any:
    """Returns a placeholder for the value in the branch that has no result yet."""
    if not becomes_tensor(value):
        return value
    if not isinstance(value, Tensor) or value.dtype in (dtypes.resource, dtypes.variant):
        raise _no_value(branch)
    sizes = [] if value.shape.ndims is None else [size or 0 for size in value.shape.as_list()]
    zero = "" if value.dtype == dtypes.string else 0
    return constant(zero, value.dtype.base_dtype, sizes)


def _result(value: Any) -> Any:
    return as_tensor(value) if becomes_tensor(value) else value


def _check_alike(name: str, on: Any, off: Any) -> None:
    """Raises TypeError if the values of a variable in the two branches cannot be merged."""
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
        raise _no_value(branch)


def _no_value(branch: str) -> ValueError:
    return ValueError(
        f"A value must also be returned from the {branch} branch. If a value is returned from one branch of a conditional a "
        "value must be returned from all branches."
    )
