"""Functions on nested structures that stop at the leaves of a shallower structure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tinytf._src.framework.composites.composite import are_alike, has_parts, spec_of, spec_text
from tinytf._src.framework.nest import nest
from tinytf._src.framework.nest.paths import keyed, leaves_with_paths
from tinytf._src.framework.nest.same import is_namedtuple, same_namedtuples

_Path = tuple[Any, ...]


def assert_shallow_structure(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> None:
    """Raises TypeError or ValueError unless `input_tree` has the structure of `shallow_tree`, with arbitrary values at
    its leaves.

    Without `check_subtrees_length`, structures in `input_tree` may have additional items.
    """
    is_structure = nest.structure_test(expand_composites)
    if not is_structure(shallow_tree):
        return
    if not is_structure(input_tree):
        raise TypeError(
            f"If shallow structure is a sequence, input must also be a sequence. Input has type: {type(input_tree)}."
        )
    if check_types and not _types_agree(shallow_tree, input_tree):
        raise TypeError(
            "The two structures don't have the same sequence type. "
            f"Input structure has type {type(input_tree)}, while shallow structure has type {type(shallow_tree)}."
        )
    if has_parts(shallow_tree) or has_parts(input_tree):
        if not are_alike(shallow_tree, input_tree):
            raise ValueError(
                f"Incompatible CompositeTensor TypeSpecs: {spec_text(shallow_tree)} vs. {spec_text(input_tree)}"
            )
        return
    _check_contents(shallow_tree, input_tree, check_subtrees_length)
    for shallow_branch, input_branch in _branches(shallow_tree, input_tree):
        assert_shallow_structure(shallow_branch, input_branch, check_types, expand_composites, check_subtrees_length)


def _types_agree(shallow: Any, other: Any) -> bool:
    if isinstance(spec_of(other), type(spec_of(shallow))) or (
        isinstance(shallow, Mapping) and isinstance(other, Mapping)
    ):
        return True
    return is_namedtuple(shallow) and is_namedtuple(other) and same_namedtuples(shallow, other)


def _check_contents(shallow: Any, other: Any, same_length: bool) -> None:
    lengths = len(list(nest.values_of(other))), len(list(nest.values_of(shallow)))
    told = "Input structure has length {}, while shallow structure has length {}.".format(*lengths)
    if same_length and lengths[0] != lengths[1]:
        raise ValueError(f"The two structures don't have the same sequence length. {told}")
    if lengths[0] < lengths[1]:
        raise ValueError(f"The input_tree has fewer elements than the shallow_tree. {told}")
    if isinstance(shallow, Mapping) and (absent := set(shallow) - set(other)):
        raise ValueError(
            "The shallow_tree's keys are not a subset of the input_tree's keys. The shallow_tree has the following keys "
            f"that are not in the input_tree: {sorted(absent)}."
        )


def _branches(shallow: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    """Pairs of corresponding children."""
    if isinstance(shallow, Mapping) and isinstance(other, Mapping):
        return ((shallow[key], other[key]) for key in nest.sorted_keys(shallow))
    return zip(nest.values_of(shallow), nest.values_of(other))


def flatten_up_to(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> list[Any]:
    """The list of values in `input_tree` at the leaves of `shallow_tree`, in order."""
    options = check_types, expand_composites, check_subtrees_length
    return [value for _, value in flatten_with_tuple_paths_up_to(shallow_tree, input_tree, *options)]


def flatten_with_tuple_paths_up_to(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> list[tuple[_Path, Any]]:
    """Like `flatten_up_to`, with pairs (path, value)."""
    assert_shallow_structure(shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length)
    return list(_up_to(shallow_tree, input_tree, nest.structure_test(expand_composites), ()))


def _up_to(shallow: Any, other: Any, is_structure: Callable[[Any], bool], path: _Path) -> Iterator[tuple[_Path, Any]]:
    if not is_structure(shallow):
        yield path, other
        return
    if has_parts(shallow):
        paths = [steps for steps, _ in leaves_with_paths(shallow, is_structure)]
        yield from (((*path, *steps), part) for steps, part in zip(paths, nest.values_of(other)))
        return
    for (key, _), (shallow_branch, branch) in zip(keyed(shallow), _branches(shallow, other)):
        yield from _up_to(shallow_branch, branch, is_structure, (*path, key))


def map_structure_up_to(shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **kwargs: Any) -> Any:
    """A structure like `shallow_tree` with the results of `func` for the values at its leaves in the inputs."""
    return map_structure_with_tuple_paths_up_to(
        shallow_tree, lambda _, *values, **options: func(*values, **options), *inputs, **kwargs
    )


def map_structure_with_tuple_paths_up_to(
    shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **kwargs: Any
) -> Any:
    """Like `map_structure_up_to`, but passes the path to `func` first, and keyword arguments that are not options of
    this function."""
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    check_types = kwargs.pop("check_types", True)
    expand_composites = kwargs.pop("expand_composites", False)
    check_subtrees_length = kwargs.pop("check_subtrees_length", True)
    options = check_types, expand_composites, check_subtrees_length
    flat = [flatten_with_tuple_paths_up_to(shallow_tree, tree, *options) for tree in inputs]
    results = [func(group[0][0], *(value for _, value in group), **kwargs) for group in zip(*flat)]
    return nest.pack_sequence_as(shallow_tree, results, expand_composites)


def get_traverse_shallow_structure(
    traverse_fn: Callable[[Any], Any], structure: Any, expand_composites: bool = False
) -> Any:
    """The part of the structure above the values for which `traverse_fn` returns False, with True and False as leaves.
    `traverse_fn` may also return a structure of bools, one per child."""
    is_structure = nest.structure_test(expand_composites)
    to_traverse = traverse_fn(structure)
    if not is_structure(structure):
        if not isinstance(to_traverse, bool):
            raise TypeError(f"traverse_fn returned structure: {to_traverse} for non-structure: {structure}")
        return to_traverse
    values = list(nest.values_of(structure))
    if isinstance(to_traverse, bool):
        if not to_traverse:
            return False
        wanted = [True] * len(values)
    elif not is_structure(to_traverse):
        raise TypeError(f"traverse_fn returned a non-bool scalar: {to_traverse} for input: {structure}")
    else:
        assert_shallow_structure(to_traverse, structure, expand_composites=expand_composites)
        wanted = list(nest.values_of(to_traverse))
        if not all(isinstance(value, bool) for value in wanted):
            text = "traverse_fn didn't return a depth=1 structure of bools.  saw: "
            raise TypeError(f"{text}{to_traverse}  for structure: {structure}")
    inner = [
        get_traverse_shallow_structure(traverse_fn, value, expand_composites) if want else False
        for value, want in zip(values, wanted)
    ]
    return nest.with_values(structure, inner)


def map_structure_with_tuple_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Like `map_structure`, but passes the path to `func` first."""
    return map_structure_with_tuple_paths_up_to(structure[0], func, *structure, **kwargs)


def map_structure_with_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Like `map_structure`, but passes the path to `func` first, as text with slashes."""

    def with_text(path: _Path, *values: Any, **options: Any) -> Any:
        return func("/".join(map(str, path)), *values, **options)

    return map_structure_with_tuple_paths(with_text, *structure, **kwargs)
