"""The graphs of functions that stages of input pipelines call, and the calls of the program that made those stages."""

from __future__ import annotations

import weakref
from typing import Any, NamedTuple

from tinytf._src.framework.sites.call_site import Site
from tinytf._src.framework.sites.creation_line import place
from tinytf._src.framework.sites.user_line import user_line


class Caller(NamedTuple):
    """A call of the program with a function, such as `dataset.map(f)`.

    Attributes:
      name: str, the called function: "Dataset.map()".
      site: where it is called.
    """

    name: str
    site: Site

    def __str__(self) -> str:
        return f"{self.name} at {place(*user_line(self.site))}"


_graphs: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()  # by the names of functions
_callers: weakref.WeakKeyDictionary[Any, Caller] = weakref.WeakKeyDictionary()  # by graph


def note_caller(function: str, graph: Any, caller: Caller) -> None:
    """Notes the call for which a function was made, whose name is unique in the process and whose body is `graph`."""
    _graphs[function] = graph
    _callers[graph] = caller


def graph_of(function: str) -> Any:
    """The body of the function with this name; None if it is unknown."""
    return _graphs.get(function)


def caller_of(function: str) -> Caller | None:
    """The call for which the function with this name was made; None if it is unknown."""
    graph = _graphs.get(function)
    return None if graph is None else _callers.get(graph)
