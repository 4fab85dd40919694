"""`ExportedVariable`: the parts of a variable that `VariableDef` messages name."""

from __future__ import annotations

from typing import Any, NamedTuple

from tinytf._src import protos
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import prepend_name_scope, strip_name_scope
from tinytf._src.framework.values import dtypes
from tinytf._src.variables.modes import VariableAggregation, VariableSynchronization, checked_modes
from tinytf._src.variables.save_slice_info import SaveSliceInfo


class ExportedVariable(NamedTuple):
    """The operations and the properties that determine a variable of a graph."""

    variable: Tensor  # of the variable's own operation: a reference or a handle
    initializer: Operation
    initial_value: Tensor | None
    synchronization: VariableSynchronization
    aggregation: VariableAggregation
    trainable: bool
    snapshot: Tensor  # the tensor that readers use
    save_slice_info: SaveSliceInfo | None

    @classmethod
    def found(cls, variable_def: Any, import_scope: str | None) -> ExportedVariable:
        """Finds the operations named in a message in the default graph. Raises KeyError if one is missing."""
        graph = get_default_graph()

        def element(name: str) -> Any:
            return graph.as_graph_element(prepend_name_scope(name, import_scope))

        variable = element(variable_def.variable_name)
        initializer = element(variable_def.initializer_name)
        given = variable_def.initial_value_name
        initial_value = element(given) if given else None
        modes = checked_modes(
            variable_def.synchronization, variable_def.aggregation, variable_def.trainable, variable_def.variable_name
        )
        snapshot = element(variable_def.snapshot_name)
        info = None
        if variable_def.HasField("save_slice_info_def"):
            info = SaveSliceInfo(save_slice_info_def=variable_def.save_slice_info_def, import_scope=import_scope)
        return cls(variable, initializer, initial_value, *modes, snapshot, info)

    def to_proto(self, export_scope: str | None) -> Any:
        """Returns the message; None if the variable is not in `export_scope`. The scope is removed from the names."""
        if export_scope is not None and not self.variable.name.startswith(export_scope):
            return None

        def stripped(element: Any) -> str:
            return strip_name_scope(element.name, export_scope) if export_scope else element.name

        message = protos.VariableDef(
            variable_name=stripped(self.variable),
            initializer_name=stripped(self.initializer),
            snapshot_name=stripped(self.snapshot),
            is_resource=self.variable.dtype == dtypes.resource,
            trainable=self.trainable,
            synchronization=self.synchronization.value,
            aggregation=self.aggregation.value,
        )
        if self.initial_value is not None:
            message.initial_value_name = stripped(self.initial_value)
        if self.save_slice_info is not None:
            message.save_slice_info_def.CopyFrom(self.save_slice_info.to_proto(export_scope))
        return message
