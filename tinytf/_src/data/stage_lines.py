"""The lines of the program that made the stages of a pipeline."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import Any

from tinytf import _core
from tinytf._src.data.base import datasets_below
from tinytf._src.framework.sites.creation_line import creation_line, place
from tinytf._src.framework.sites.function_callers import graph_of
from tinytf._src.framework.sites.user_line import user_line
from tinytf._src.framework.values.tensor_like import is_eager_tensor


class StageLines:
    """Finds the lines of one iterator's stages: in its graph and in functions by the names of nodes, and for datasets
    that were made eagerly by their objects, if the iterator has them."""

    def __init__(self, iterator: Any) -> None:
        resource = iterator._iterator_resource
        self._graph = None if is_eager_tensor(resource) else resource.graph
        # The places of eager datasets of each node, from the last one to the sources. Equal datasets have one node.
        self._eager: dict[int, deque[str]] = defaultdict(deque)
        if (dataset := getattr(iterator, "_dataset", None)) is not None:
            self._note_eager(dataset)

    def _note_eager(self, dataset: Any) -> None:
        # A dataset that only adds options has the tensor of its input, which made the stage.
        makers = {id(below._variant_tensor): below for below in datasets_below(dataset)}
        for maker in makers.values():
            if is_eager_tensor(maker._variant_tensor):
                self._eager[_core.node_of_dataset(maker._variant_tensor)].append(place(*user_line(maker._site)))

    def line(self, site: int, op: str, name: str, around: tuple[str, ...]) -> str:
        """The line that made the dataset of a node with this number, op and name, which is in one of the functions
        `around`, or in no function; '' if it is unknown."""
        eager = self._eager.get(site)
        if eager:
            return eager.popleft() if len(eager) > 1 else eager[0]
        for graph in [*map(graph_of, around), self._graph]:
            found = None if graph is None else _operation(graph, op, name)
            if found is not None:
                return creation_line(found)
        return ""


def _operation(graph: Any, op: str, name: str) -> Any:
    """The operation of a node, or the one of which it is a copy: one-shot iterators copy their datasets into a function,
    where names have more scopes around. None if there is none."""
    parts = name.split("/")
    for i in range(len(parts)):
        found = graph._nodes.told_of("/".join(parts[i:]))
        if found is not None and found.type == op:
            return found
    return None
