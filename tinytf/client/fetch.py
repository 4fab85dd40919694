"""Fetches of `Session.run`: from nested structures to the tensors and operations to ask for, and back.

A mapper lists the leaves of a structure in order (`unique_fetches`) and rebuilds the structure from their values
(`build_results`). Mappers know no session; they can be kept and used by many threads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tinytf.client.session_handles import TensorHandle
from tinytf.framework.graph import Graph
from tinytf.framework.indexed_slices import IndexedSlices, IndexedSlicesValue
from tinytf.framework.operation import Operation
from tinytf.framework.sparse_tensor import SparseTensor, SparseTensorValue
from tinytf.framework.tensor import Tensor

# (type, fetch → (leaves, values → result), feed, value → pairs, feed → leaves); the first that fits counts.
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
    """Teaches sessions a new type of fetches and feeds.

    `fetch_function(fetch)` gives (list of leaves, function from their values to the result);
    `feed_function(feed, value)` gives (tensor, value) pairs; `feed_function_for_partial_run(feed)` the tensors.
    ValueError if the type is a base of one that is registered already.
    """
    for registered in REGISTERED_EXPANSIONS:
        if issubclass(registered[0], tensor_type):
            raise ValueError(f"{tensor_type} has already been registered so ignore it.")
    REGISTERED_EXPANSIONS.insert(0, (tensor_type, fetch_function, feed_function, feed_function_for_partial_run))


def expansion_of(value: Any) -> Any:
    """The first registered expansion for a value."""
    for expansion in REGISTERED_EXPANSIONS:
        if isinstance(value, expansion[0]):
            return expansion
    raise TypeError(f"Feed argument {value!r} has invalid type {type(value)!r}")


class _ElementMapper:
    """One leaf, or a registered type that stands for several."""

    def __init__(self, graph: Graph, fetch: Any, leaves: list[Any], build: Callable[[list[Any]], Any]) -> None:
        self._build = build
        self.unique_fetches = []
        for leaf in leaves:
            try:
                self.unique_fetches.append(graph.as_graph_element(leaf, allow_tensor=True, allow_operation=True))
            except TypeError as e:
                raise TypeError(
                    f"Fetch argument {fetch!r} has invalid type {type(fetch)!r}, must be a string or Tensor. ({e})"
                ) from None
            except (ValueError, KeyError) as e:
                raise ValueError(f"Fetch argument {fetch!r} cannot be interpreted as a Tensor. ({e})") from None

    def build_results(self, values: list[Any]) -> Any:
        values = [value for value in values if not isinstance(value, _NoValue)]
        return self._build(values) if values else None  # an operation alone has no value


class _SequenceMapper:
    """A list, a tuple or a named tuple."""

    def __init__(self, graph: Graph, fetches: Any) -> None:
        self._type = type(fetches)
        self._mappers = [mapper_for(graph, fetch) for fetch in fetches]
        self.unique_fetches, self._indices = _uniquify(self._mappers)

    def build_results(self, values: list[Any]) -> Any:
        results = _build_each(self._mappers, self._indices, values)
        if issubclass(self._type, list):
            return results
        return tuple(results) if self._type is tuple else self._type(*results)


class _MappingMapper:
    """A dict or another mapping."""

    def __init__(self, graph: Graph, fetches: Mapping[Any, Any]) -> None:
        self._type = type(fetches)
        self._keys = list(fetches)
        self._mappers = [mapper_for(graph, fetch) for fetch in fetches.values()]
        self.unique_fetches, self._indices = _uniquify(self._mappers)

    def build_results(self, values: list[Any]) -> Any:
        results: Any = self._type()
        for key, result in zip(self._keys, _build_each(self._mappers, self._indices, values), strict=True):
            results[key] = result
        return results


class _FieldsMapper:
    """An attrs class or a dataclass instance: rebuilt by calling its class with the fields' values."""

    def __init__(self, graph: Graph, fetches: Any, names: list[str]) -> None:
        self._type = type(fetches)
        self._mappers = [mapper_for(graph, getattr(fetches, name)) for name in names]
        self.unique_fetches, self._indices = _uniquify(self._mappers)

    def build_results(self, values: list[Any]) -> Any:
        return self._type(*_build_each(self._mappers, self._indices, values))


def mapper_for(graph: Graph, fetch: Any) -> Any:
    """The mapper for any structure of fetches. TypeError or ValueError, with TensorFlow's texts, for bad leaves."""
    if fetch is None:
        raise TypeError(f"Fetch argument {fetch!r} has invalid type {type(fetch)!r}")
    if isinstance(fetch, (list, tuple)):
        return _SequenceMapper(graph, fetch)
    if isinstance(fetch, Mapping):
        return _MappingMapper(graph, fetch)
    if not isinstance(fetch, type):
        attrs_fields = getattr(type(fetch), "__attrs_attrs__", None)
        if attrs_fields is not None:
            return _FieldsMapper(graph, fetch, [field.name for field in attrs_fields])
        dataclass_fields = getattr(type(fetch), "__dataclass_fields__", None)
        if dataclass_fields is not None:
            return _FieldsMapper(graph, fetch, list(dataclass_fields))
    for tensor_type, expand, _, _ in REGISTERED_EXPANSIONS:
        if expand is not None and isinstance(fetch, tensor_type):
            leaves, build = expand(fetch)
            return _ElementMapper(graph, fetch, leaves, build)
    raise TypeError(f"Fetch argument {fetch!r} has invalid type {type(fetch)!r}")


def _uniquify(mappers: list[Any]) -> tuple[list[Any], list[list[int]]]:
    """Leaves without repetitions, and for each mapper where its leaves are among them."""
    position: dict[int, int] = {}
    unique: list[Any] = []
    indices = []
    for mapper in mappers:
        where = []
        for leaf in mapper.unique_fetches:
            if id(leaf) not in position:
                position[id(leaf)] = len(unique)
                unique.append(leaf)
            where.append(position[id(leaf)])
        indices.append(where)
    return unique, indices


def _build_each(mappers: list[Any], indices: list[list[int]], values: list[Any]) -> list[Any]:
    return [mapper.build_results([values[i] for i in where]) for mapper, where in zip(mappers, indices, strict=True)]


class _NoValue:
    """Stands for the result of an operation."""


NO_VALUE = _NoValue()


class FetchHandler:
    """Fetches of one run: which tensors and operations to ask for, and how to hand out what came.

    `fed` are the tensors that the run feeds: a fetch among them is answered from the feed. Fetched handles belong to
    `session`.
    """

    def __init__(self, graph: Graph, fetches: Any, fed: Any = (), session: Any = None) -> None:
        with graph.as_default():
            self._mapper = mapper_for(graph, fetches)
        self.tensors: list[Tensor] = []
        self.targets: list[Operation] = []
        self._sources: list[Any] = []  # for each leaf: NO_VALUE, a fed tensor, or an index in `tensors`
        position: dict[Tensor, int] = {}
        fed = set(fed)
        for leaf in self._mapper.unique_fetches:
            if isinstance(leaf, Operation):
                _assert_fetchable(graph, leaf)
                self.targets.append(leaf)
                self._sources.append(NO_VALUE)
            elif leaf in fed:
                self._sources.append(leaf)
            else:
                _assert_fetchable(graph, leaf._op)
                if leaf not in position:
                    position[leaf] = len(self.tensors)
                    self.tensors.append(leaf)
                self._sources.append(position[leaf])
        self._session = session
        self._handles = {i: t for i, t in enumerate(self.tensors) if t.op.type == "GetSessionHandle"}
        # Then results are more than the values of `tensors` in a structure.
        self.has_special_leaves = bool(self._handles) or any(isinstance(source, Tensor) for source in self._sources)

    def build_results(self, values: list[Any], fed_values: Mapping[Tensor, Any]) -> Any:
        """The caller's structure, from the values of `tensors` and the arrays that were fed."""
        if self._handles:
            values = list(values)
            for i, tensor in self._handles.items():
                values[i] = TensorHandle(values[i], tensor.op.inputs[0].dtype, self._session)
        leaves = []
        for source in self._sources:
            if isinstance(source, int):
                leaves.append(values[source])
            else:
                leaves.append(fed_values[source] if isinstance(source, Tensor) else source)
        if isinstance(self._mapper, _ElementMapper):
            leaves = [leaf for leaf in leaves if not isinstance(leaf, _NoValue)]
        return self._mapper.build_results(leaves)


def _assert_fetchable(graph: Graph, op: Operation) -> None:
    if op._id in graph._unfetchable:
        from tinytf.framework.errors_impl import InaccessibleTensorError

        raise InaccessibleTensorError(
            f"Operation {op.name!r} has been marked as not fetchable. Typically this happens when it is defined in another "
            "function or code block. Use return values,explicit Python locals or TensorFlow collections to access it."
        )
