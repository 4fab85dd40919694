"""Finds the placeholders that fetches depend on and a step does not feed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.session.feed import expand_feeds

_PLACEHOLDERS = ("Placeholder", "PlaceholderV2")


def unfed_placeholders(graph: Graph, fetches: Any, fed: Collection[Tensor]) -> list[str]:
    """Returns the names of the placeholders that a structure of fetches depends on, given that `fed` are fed."""
    pending = [graph.as_graph_element(fetch) for fetch in _leaves(fetches)]
    seen: set[Any] = set()
    found = []
    while pending:
        element = pending.pop()
        if isinstance(element, Tensor):
            if element in fed:
                continue
            element = element.op
        if element in seen:
            continue
        seen.add(element)
        if element.type in _PLACEHOLDERS:
            found.append(element.name)
        pending += element.inputs
        pending += element.control_inputs
    return sorted(found)


def _leaves(fetches: Any) -> Iterator[Any]:
    if isinstance(fetches, dict):
        fetches = tuple(fetches.values())
    elif isinstance(fetches, SparseTensor):
        fetches = (fetches.indices, fetches.values, fetches.dense_shape)
    if not isinstance(fetches, (list, tuple)):
        yield fetches
        return
    for fetch in fetches:
        yield from _leaves(fetch)


class UnfedInputs:
    """Caches the unfed placeholders of a finalized graph, for each fetch and set of feeds."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._found: dict[Any, tuple[Any, list[str]]] = {}  # holds the fetch, so that its id stays unique

    def of(self, fetches: Any, feed_dict: Any) -> list[str]:
        """Returns the names of the placeholders that these fetches need and `feed_dict` does not feed."""
        key = id(fetches), frozenset(feed_dict or ())
        found = self._found.get(key)
        if found is None:
            fed = [tensor for tensor, _ in expand_feeds(self._graph, feed_dict)] if feed_dict else []
            found = self._found[key] = fetches, unfed_placeholders(self._graph, fetches, set(fed))
        return found[1]
