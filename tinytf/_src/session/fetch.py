"""Fetches of `Session.run`: flattens nested structures to tensors and operations, and rebuilds them from values.

A mapper lists the leaves of a structure in order (`leaves`) and, given the position of each leaf's value in the results
(`part`), returns the function that rebuilds the structure. These functions are stateless and can be shared by threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import is_, itemgetter
from typing import Any

import numpy as np

from tinytf._src.framework.composites.indexed_slices import IndexedSlices, IndexedSlicesValue
from tinytf._src.framework.composites.sparse_tensor import SparseTensor, SparseTensorValue
from tinytf._src.framework.errors.errors_impl import InaccessibleTensorError
from tinytf._src.framework.graph.elements import HintedText, split_hint
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.session.engine import HasEngine
from tinytf._src.session.session_handles import TensorHandle

# (type, fetch → (leaves, values → result), (feed, value) → pairs, feed → leaves); the first entry that matches is used.
Expansion = tuple[type, Callable[..., Any], "Callable[..., Any] | None", "Callable[..., Any] | None"]


def _indexed_slices_leaves(x: IndexedSlices) -> list[Any]:
    return [x.values, x.indices] if x.dense_shape is None else [x.values, x.indices, x.dense_shape]


def _indexed_slices_value(values: list[Any]) -> IndexedSlicesValue:
    return IndexedSlicesValue(values[0], values[1], values[2] if len(values) > 2 else None)


REGISTERED_EXPANSIONS: list[Any] = [
    (
        SparseTensor,
        lambda fetch: ([fetch.indices, fetch.values, fetch.dense_shape], lambda values: SparseTensorValue(*values)),
        lambda feed, value: list(zip([feed.indices, feed.values, feed.dense_shape], value)),
        lambda feed: [feed.indices, feed.values, feed.dense_shape],
    ),
    (
        IndexedSlices,
        lambda fetch: (_indexed_slices_leaves(fetch), _indexed_slices_value),
        lambda feed, value: list(zip(_indexed_slices_leaves(feed), value)),
        _indexed_slices_leaves,
    ),
    (
        object,
        lambda fetch: ([fetch], lambda values: values[0]),
        lambda feed, value: [(feed, value)],
        lambda feed: [feed],
    ),
]


def register_session_run_conversion_functions(
    tensor_type: type,
    fetch_function: Any = None,
    feed_function: Any = None,
    feed_function_for_partial_run: Any = None,
) -> None:
    """Registers a new type of fetches and feeds with all sessions.

    Args:
      tensor_type: the class.
      fetch_function: takes a fetch; returns (list of leaves, function from the list of their values to the result).
      feed_function: takes a feed and its value; returns (tensor, value) pairs. None: cannot be fed.
      feed_function_for_partial_run: takes a feed; returns its tensors. None: cannot be fed in partial runs.

    Raises:
      ValueError: if `tensor_type` is a registered class or a base of one.
    """
    for registered in REGISTERED_EXPANSIONS:
        if issubclass(registered[0], tensor_type):
            raise ValueError(f"{tensor_type} has already been registered so ignore it.")
    REGISTERED_EXPANSIONS.insert(0, (tensor_type, fetch_function, feed_function, feed_function_for_partial_run))


def expansion_of(value: Any) -> Any:
    """Returns the first registered expansion for a value."""
    for expansion in REGISTERED_EXPANSIONS:
        if isinstance(value, expansion[0]):
            return expansion
    raise TypeError(f"Feed argument {value!r} has invalid type {type(value)!r}")


class _ElementMapper:
    """Maps one leaf, or a registered type that expands to several leaves."""

    def __init__(self, graph: Graph, fetch: Any, expansion: Any) -> None:
        leaves, self._build = expansion[1](fetch)
        self._is_leaf = expansion[0] is object
        self.leaves = []
        for leaf in leaves:
            try:
                self.leaves.append(graph.as_graph_element(leaf, allow_tensor=True, allow_operation=True))
            except TypeError as e:
                text = f"Fetch argument {fetch!r} has invalid type {type(fetch)!r}, must be a string or Tensor. ({e})"
                raise TypeError(HintedText(text, _about_type(fetch))) from None
            except (ValueError, KeyError) as e:
                text, hint = split_hint(e)
                text = f"Fetch argument {fetch!r} cannot be interpreted as a Tensor. ({text})"
                raise ValueError(HintedText(text, hint)) from None

    def part(self, position: dict[int, int]) -> Any:
        """Returns the index of the leaf's value in the results, or the function that computes the value from all
        results."""
        where = [position[id(leaf)] for leaf in self.leaves]
        if self._is_leaf:
            return where[0]
        build = self._build
        return lambda values: build([values[i] for i in where]) if where else None


def _about_type(fetch: Any) -> str:
    """Hints at how an unfetchable object may have got among the fetches."""
    if isinstance(fetch, (np.ndarray, np.generic)):
        return (
            " It is a value, not a tensor: was a variable overwritten with the result of an earlier run, as in `loss = "
            "sess.run(loss)`?"
        )
    if hasattr(fetch, "__iter__"):
        return " Fetches must be tensors, or lists, tuples and dicts of them: convert it to a list."
    return ""


class _StructureMapper:
    """Maps a container; `make` builds one of the same type from the results of its elements."""

    def __init__(self, graph: Graph, elements: Iterable[Any], make: Callable[[Any], Any]) -> None:
        self._mappers = [mapper_for(graph, element) for element in elements]
        self._make = make
        self.leaves = [leaf for mapper in self._mappers for leaf in mapper.leaves]

    def part(self, position: dict[int, int]) -> Any:
        """Returns the function from the values of all leaves to the container."""
        parts, make = [mapper.part(position) for mapper in self._mappers], self._make
        if len(parts) > 1 and all(isinstance(part, int) for part in parts):
            get = itemgetter(*parts)  # one call for all
            return lambda values: make(get(values))
        functions = [itemgetter(part) if isinstance(part, int) else part for part in parts]
        return lambda values: make([function(values) for function in functions])


def _make_like(fetches: Any) -> Callable[[Any], Any]:
    """Returns the function from an iterable of results to a container of the type of `fetches`, a list or tuple."""
    cls = type(fetches)
    if isinstance(fetches, list):
        return list
    return tuple if cls is tuple else lambda results: cls(*results)


def _make_mapping_like(fetches: Mapping[Any, Any]) -> Callable[[Any], Any]:
    cls, keys = type(fetches), list(fetches)
    if cls is dict:
        return lambda results: dict(zip(keys, results, strict=True))

    def make(results: Any) -> Any:
        mapping: Any = cls()
        for key, result in zip(keys, results, strict=True):
            mapping[key] = result
        return mapping

    return make


def mapper_for(graph: Graph, fetch: Any) -> Any:
    """Returns the mapper for any structure of fetches. TypeError or ValueError, with TensorFlow's texts, for bad
    leaves."""
    if fetch is None:
        text = f"Fetch argument {fetch!r} has invalid type {type(fetch)!r}"
        raise TypeError(HintedText(text, " (tf.gradients returns None where there is no gradient)"))
    if isinstance(fetch, (list, tuple)):
        return _StructureMapper(graph, fetch, _make_like(fetch))
    if isinstance(fetch, Mapping):
        return _StructureMapper(graph, fetch.values(), _make_mapping_like(fetch))
    names = _field_names(fetch)
    if names is not None:
        cls = type(fetch)
        return _StructureMapper(graph, [getattr(fetch, name) for name in names], lambda results: cls(*results))
    for expansion in REGISTERED_EXPANSIONS:
        if expansion[1] is not None and isinstance(fetch, expansion[0]):
            return _ElementMapper(graph, fetch, expansion)
    raise TypeError(f"Fetch argument {fetch!r} has invalid type {type(fetch)!r}")


# First element of the keys of containers, so that they never equal a fetch.
_CONTAINER = object()


def structure_key(fetches: Any) -> Any:
    """Returns a key that distinguishes structures of fetches; hashable if the leaves are.

    The type of an outermost list or tuple is not part of it, the caller adds it: a flat one's key is the tuple of its
    leaves. Inner containers are told apart by type: a named tuple differs from the tuple that it equals.
    """
    return tuple(map(_key, fetches)) if isinstance(fetches, (list, tuple)) else _key(fetches)


def _key(fetch: Any) -> Any:
    cls = type(fetch)
    if cls is Tensor or cls is Operation or cls is str:
        return fetch
    if isinstance(fetch, (list, tuple)):
        return (_CONTAINER, cls, *map(_key, fetch))
    if cls is dict or isinstance(fetch, Mapping):
        return (_CONTAINER, cls, tuple(fetch), *map(_key, fetch.values()))
    names = _field_names(fetch)
    return fetch if names is None else (_CONTAINER, cls, *[_key(getattr(fetch, name)) for name in names])


def _field_names(fetches: Any) -> tuple[str, ...] | None:
    """Returns the field names of an attrs instance, or of a dataclass that is not registered; None for anything
    else."""
    cls = type(fetches)
    attrs_fields = getattr(cls, "__attrs_attrs__", None)
    if attrs_fields is not None:
        return tuple([field.name for field in attrs_fields])
    if not hasattr(cls, "__dataclass_fields__") or expansion_of(fetches)[0] is not object:
        return None
    import dataclasses  # the module that defined the class has loaded it already

    return tuple([field.name for field in dataclasses.fields(fetches)])


_NOTHING_FED: Mapping[Tensor, Any] = {}


class FetchHandler:
    """Fetches of one run: lists the tensors and operations to request, and builds the result from their values.

    `fed` are the tensors that the run feeds: a fetch among them is answered from the feed. Fetched session handles
    belong to `session`.
    """

    def __init__(self, graph: Graph, fetches: Any, fed: Any = (), session: HasEngine | None = None) -> None:
        with graph.as_default():
            mapper = mapper_for(graph, fetches)
        self.tensors: list[Tensor] = []
        self.targets: list[Operation] = []
        self._answered: list[Tensor] = []  # fetches that are answered from the feeds
        fed = set(fed)
        for leaf in dict.fromkeys(mapper.leaves):
            if isinstance(leaf, Operation):
                _assert_fetchable(graph, leaf)
                self.targets.append(leaf)
            elif leaf in fed:
                self._answered.append(leaf)
            else:
                _assert_fetchable(graph, leaf._op)
                self.tensors.append(leaf)
        self._handles = {i: t for i, t in enumerate(self.tensors) if t.op._spec.yields_session_handle}
        # only with handles: the session caches handlers, which would be a cycle
        self._session: Any = session if self._handles else None
        # If true, results are not just the values of `tensors` in a structure.
        self.has_special_leaves = bool(self._handles or self._answered)
        # How a step without special leaves should return the values, and whether these are the caller's structure then.
        self.yield_ = "none" if isinstance(fetches, Operation) else "single" if isinstance(fetches, Tensor) else "list"
        self.returns_values = self.yield_ != "list" or (
            fetches.__class__ is list and len(fetches) == len(self.tensors) and all(map(is_, fetches, self.tensors))
        )
        position = {id(leaf): i for i, leaf in enumerate([*self.tensors, *self._answered])}
        position.update((id(op), -1) for op in self.targets)  # the None of operations comes after all values
        part = mapper.part(position)
        self._build: Callable[[list[Any]], Any] = itemgetter(part) if isinstance(part, int) else part

    def build_results(self, values: list[Any], fed_values: Mapping[Tensor, Any] = _NOTHING_FED) -> Any:
        """Returns the caller's structure, from the values of `tensors` and the arrays that were fed."""
        leaves = [*values, *[fed_values[tensor] for tensor in self._answered], None]
        for i, tensor in self._handles.items():
            leaves[i] = TensorHandle(leaves[i], tensor.op.inputs[0].dtype, self._session)
        return self._build(leaves)


def _assert_fetchable(graph: Graph, op: Operation) -> None:
    if not graph._nodes.is_fetchable(op):
        raise InaccessibleTensorError(
            f"Operation {op.name!r} has been marked as not fetchable. Typically this happens when it is defined in another "
            "function or code block. Use return values,explicit Python locals or TensorFlow collections to access it."
        )
