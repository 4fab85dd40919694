"""`BaseGraph`, `BaseOperation` and `BaseTensor`: graphs, operations and tensors as the parts of a graph see them.

The parts compose `Graph`, and `Graph`, `Operation` and `Tensor` refer to each other; therefore the parts know only these
bases, which declare the members that parts use.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tinytf._src.framework.graph.no_copies import NotCopied

if TYPE_CHECKING:
    from tinytf._src.framework.declarations.op_spec import OpSpec


class BaseGraph(NotCopied):
    """Base class of graphs."""

    if TYPE_CHECKING:
        _core: Any
        _functions: Any  # its `GraphFunctions`
        _nodes: Any  # its `GraphNodes`
        _growth: Any
        _graph_def_versions: Any

        @property
        def version(self) -> int: ...
        @property
        def finalized(self) -> bool: ...
        def get_operations(self) -> Sequence[BaseOperation]: ...
        def as_graph_element(self, obj: Any) -> Any: ...


class BaseOperation(NotCopied):
    """Base class of operations. The attributes for devices are set only if a scope was open."""

    __slots__ = ("_colocation_dict", "_device_assignments")

    if TYPE_CHECKING:
        _id: int
        _graph: Any
        _outputs: Any
        _spec: OpSpec
        _site: Any
        _control_flow_context: Any
        _device_assignments: list[Any]
        _colocation_dict: dict[str, Any]
        _original_op: Any

        @property
        def graph(self) -> Any: ...
        @property
        def name(self) -> str: ...
        @property
        def type(self) -> str: ...
        @property
        def device(self) -> str: ...
        @property
        def inputs(self) -> Any: ...
        @property
        def outputs(self) -> Any: ...
        @property
        def control_inputs(self) -> Any: ...
        def _become(self, graph: Any, id: int, name: str, spec: OpSpec, output_types: Any, site: Any) -> None: ...
        def _raw_attr(self, name: str) -> Any: ...


class BaseTensor(NotCopied):
    """Base class of tensors, those of eager execution included."""

    __slots__ = ()

    if TYPE_CHECKING:
        _key: int
        _op: Any

        @property
        def op(self) -> Any: ...
        @property
        def graph(self) -> Any: ...
        @property
        def name(self) -> str: ...
        @property
        def value_index(self) -> int: ...
        @property
        def dtype(self) -> Any: ...
        @property
        def shape(self) -> Any: ...
