"""Maps names in checkpoints to saveable objects, for variables, slices of variables, references and composite
objects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tinytf._src.checkpoint.saveables import ReferenceVariableSaveable, ResourceVariableSaveable, SaveableObject
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.variables.eager_variable import EagerVariable
from tinytf._src.variables.partitioned_variable import PartitionedVariable
from tinytf._src.variables.resource_variable import ResourceVariable
from tinytf._src.variables.variable import Variable

_REFERENCES = ("AutoReloadVariable", "Variable", "VariableV2")
_VARIABLE_OPS = (*_REFERENCES, "ReadVariableOp", "VarHandleOp")


def all_saveable_objects(scope: str | None = None) -> list[Any]:
    """Returns the global variables and saveable objects of the default graph; with `scope`, the ones whose names match
    it."""
    graph = get_default_graph()
    return graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope) + graph.get_collection(
        GraphKeys.SAVEABLE_OBJECTS, scope
    )


def op_list_to_dict(op_list: Any, convert_variable_to_tensor: bool = True) -> dict[str, Any]:
    """Returns a dict from names in a checkpoint to objects to save; a list for the slices of a variable.

    Args:
      op_list: a list, tuple or set of variables and saveable objects.
      convert_variable_to_tensor: whether variables are replaced by tensors that read them.

    Raises:
      TypeError: for other objects.
      ValueError: for duplicate names.
    """
    if not isinstance(op_list, (list, tuple, set)):
        raise TypeError(f"Variables to save should be passed in a dict or a list: {op_list}")
    found: dict[str, Any] = {}
    for var in sorted(op_list, key=lambda var: var.name):
        if isinstance(var, SaveableObject):
            found[var.name] = var
        elif isinstance(var, PartitionedVariable):
            _add(found, var.name, var)
        elif isinstance(var, Variable) and var._save_slice_info is not None:
            pieces = found.setdefault(var._save_slice_info.full_name, [])
            if not isinstance(pieces, list):
                raise ValueError(f"Mixing slices and non-slices with the same name: {var._save_slice_info.full_name}")
            pieces.append(var)
        elif not isinstance(var, Variable) and hasattr(var, "_gather_saveables_for_checkpoint"):
            parts = var._gather_saveables_for_checkpoint().values()
            found.update(op_list_to_dict([part() if callable(part) else part for part in parts]))
        elif isinstance(var, EagerVariable):
            if found.setdefault(var._shared_name, var) is not var:
                raise ValueError(
                    f"Two different ResourceVariable objects with the same shared_name '{var._shared_name}' were passed "
                    "to the Saver. This likely means that they were created in different Graphs or isolation contexts, "
                    "and may not be checkpointed together."
                )
        else:
            tensor = _as_tensor(var, "Variable to save is not a Variable: ")
            op = tensor.op.inputs[0].op if tensor.op.type == "ReadVariableOp" else tensor.op
            _add(found, op.name, tensor if convert_variable_to_tensor else var)
    return found


def _add(found: dict[str, Any], name: str, value: Any) -> None:
    if name in found:
        raise ValueError(f"At least two variables have the same name: {name}")
    found[name] = value


def _as_tensor(var: Any, refusal: str) -> Tensor:
    """Returns a variable's reference, or its read. TypeError, beginning with `refusal`, for tensors of other
    operations."""
    if isinstance(var, Variable):
        tensor = var._graph_element if isinstance(var, ResourceVariable) else var._ref()
    else:
        tensor = convert_to_tensor(var)
    if tensor.op.type not in _VARIABLE_OPS:
        raise TypeError(f"{refusal}{tensor}")
    return tensor


def saveable_objects_for_op(op: Any, name: str) -> Iterator[Any]:
    """Yields the saveable objects of a value with this name: one, or several for slices."""
    if not isinstance(name, str):
        raise TypeError(
            "names_to_saveables must be a dict mapping string names to trackable operations. "
            f"Name is not a string: {name}"
        )
    if isinstance(op, SaveableObject):
        yield op
    elif isinstance(op, (list, tuple, PartitionedVariable)):
        yield from _pieces(list(op), name)
    elif not isinstance(op, Variable) and hasattr(op, "_gather_saveables_for_checkpoint"):
        for attr, factory in op._gather_saveables_for_checkpoint().items():
            full_name = name if attr == "VARIABLE_VALUE" else f"{name}_{attr}"
            part = factory(full_name) if callable(factory) else factory
            yield from saveable_objects_for_op(part, part.name)
    elif isinstance(op, EagerVariable):
        yield ResourceVariableSaveable(op, "", name)
    elif executing_eagerly():
        raise ValueError(f"Can only save/restore ResourceVariables when executing eagerly, got type: {type(op)}.")
    else:
        refusal = "names_to_saveables must be a dict mapping string names to Tensors/Variables. Not a variable: "
        tensor = _as_tensor(op, refusal)
        yield _saveable(tensor, tensor.op.type, "", name)


def _pieces(pieces: list[Any], name: str) -> Iterator[Any]:
    whole = None
    for piece in pieces:
        if not isinstance(piece, Variable):
            raise ValueError(f"Slices must all be Variables: {piece}")
        info = piece._save_slice_info
        if info is None:
            raise ValueError(f"Slices must all be slices: {piece}")
        whole = whole or info.full_name
        if whole != info.full_name:
            raise ValueError(f"Slices must all be from the same tensor: {whole} != {info.full_name}")
        yield _saveable(piece, piece.op.type, info.spec, name)


def _saveable(var: Any, op_type: str, part: str, name: str) -> Any:
    kind = ReferenceVariableSaveable if op_type in _REFERENCES else ResourceVariableSaveable
    return kind(var, part, name)


def validate_and_slice_inputs(names_to_saveables: Any) -> list[Any]:
    """Returns the saveable objects of a list, or of a dict by name, ordered by name. ValueError for duplicates."""
    if not isinstance(names_to_saveables, dict):
        names_to_saveables = op_list_to_dict(names_to_saveables)
    saveables: list[Any] = []
    seen: set[int] = set()
    for name, op in sorted(names_to_saveables.items(), key=lambda item: item[0]):
        for saveable in saveable_objects_for_op(op, name):
            if id(saveable.op) in seen:
                raise ValueError(f"The same saveable will be restored with two names: {saveable.name}")
            seen.add(id(saveable.op))
            saveables.append(saveable)
    return saveables
