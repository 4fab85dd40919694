"""Calls of traced functions in graphs, each a single operation with the function's outputs."""

from __future__ import annotations

import re
from typing import Any, Protocol

from tinytf._src.framework.apply.apply_op import add_op
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.function_numbers import new_number
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor

_INVALID = re.compile("[^A-Za-z0-9_.<>' ]")  # in names of functions; those of lambdas and callables are valid


class CalledFunction(Protocol):
    """A function that operations call."""

    outputs: list[Tensor]

    @property
    def is_stateful(self) -> bool:
        """Whether the operation is a stateful one."""

    def entered(self, graph: Graph) -> str:
        """Adds the function to the graph's library if needed, and returns the name by which nodes call it."""


def numbered(name: str) -> str:
    """Returns the name, made unique in the process by a number."""
    return f"{_INVALID.sub('_', name)}_{new_number()}"


def library_name(function: str, kind: str = "inference") -> str:
    """Returns a library name for a function that is unique in the process."""
    return numbered(f"__{kind}_{function}")


def add_call(function: CalledFunction, tensors: list[Any]) -> Operation:
    """Adds an operation to the default graph that calls the function. `tensors`: the values of its inputs, then of its
    `given`."""
    graph = get_default_graph()
    name = function.entered(graph)
    outputs = function.outputs
    spec = op_spec("StatefulPartitionedCall" if function.is_stateful else "PartitionedCall")
    return add_op(
        spec,
        None if outputs else "PartitionedFunctionCall",
        (tensors,),
        {"Tout": [t.dtype for t in outputs], "f": name},
    )


def call_in_graph(function: CalledFunction, tensors: list[Any]) -> list[Tensor]:
    """Adds a call and returns its outputs."""
    return list(add_call(function, tensors).outputs)
