"""Initialization of variables from checkpoints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.checkpoint.checkpoint_reader import checkpoint_of, load_checkpoint
from tinytf._src.checkpoint.nearest_names import nearest
from tinytf._src.checkpoint.saved_names import op_list_to_dict, saveable_objects_for_op
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.scopes.name_scope import device
from tinytf._src.variables.scope import default_variable_store
from tinytf._src.variables.variable import Variable


@tf_export("train.init_from_checkpoint")
@called_by_users
def init_from_checkpoint(ckpt_dir_or_file: str, assignment_map: Mapping[str, Any]) -> None:
    """Replaces initializers of variables by reads of a checkpoint; the values are read when the initializers run.

    Args:
      ckpt_dir_or_file: path prefix of a checkpoint, or a directory whose latest checkpoint is used.
      assignment_map: dict from names in the checkpoint to a variable, a list of the slices of one, or a variable's
        name; or from "scope/" to "scope/", for all variables of `tf.get_variable` in a scope. "/" is the root of the
        checkpoint.

    Raises:
      ValueError: for names that the checkpoint lacks, for incompatible shapes, and if a scope is mapped to something
        else.
    """
    path = checkpoint_of(ckpt_dir_or_file)
    shapes = load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map()
    made = default_variable_store().variables
    for name, target in sorted(assignment_map.items(), key=lambda item: item[0]):
        variable = target if is_variable(target) or _is_list_of_variables(target) else _found(target, made)
        if variable is None:
            _init_scope(name, target, path, ckpt_dir_or_file, shapes, made)
            continue
        if name not in shapes:
            raise ValueError(
                f"Tensor {name} is not found in {ckpt_dir_or_file} checkpoint {dict(shapes)}{nearest(name, shapes)}"
            )
        if is_variable(variable) and not variable.get_shape().is_compatible_with(shapes[name]):
            raise ValueError(
                f"Shape of variable {variable.name} ({variable.get_shape()}) doesn't match with shape of tensor {name} "
                f"({shapes[name]}) from checkpoint reader."
            )
        _begin_with(variable, path, name)


def is_variable(value: Any) -> bool:
    """Returns whether it is a variable or a slice of one."""
    return isinstance(value, Variable)


def _is_list_of_variables(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_variable, value))


def _found(name: Any, made: Mapping[str, Any]) -> Any:
    """Returns the variable of a name, or the list of its slices; None if there is none. TypeError if it is not a
    name."""
    if name in made:
        return made[name]
    first = name + "/part_"
    pieces: list[Any] = []
    while f"{first}{len(pieces)}" in made:
        pieces.append(made[f"{first}{len(pieces)}"])
    return pieces or None


def _init_scope(
    saved: str, target: str, path: Any, given: str, shapes: Mapping[str, Any], made: Mapping[str, Any]
) -> None:
    """Initializes all variables of a scope from a scope of the checkpoint."""
    scope = target.rpartition("/")[0]
    if not saved.endswith("/"):
        raise ValueError(
            f"Assignment map with scope only name {scope} should map to scope only {saved}. Should be 'scope/': "
            "'other_scope/'."
        )
    names = {name.partition("/part_")[0] for name in made if not scope or name.startswith(f"{scope}/")}
    for name in sorted(names):
        inner = name[len(scope) :].removeprefix("/") if scope else name
        full = inner if saved == "/" else f"{saved}{inner}"
        if full not in shapes:
            raise ValueError(
                f"Tensor {full} ({inner} in {saved}) is not found in {given} checkpoint{nearest(full, shapes)}"
            )
        _begin_with(_found(name, made), path, full)


def _begin_with(variable: Any, path: Any, name: str) -> None:
    """Initializes a variable, or the slices of one, from a tensor of the checkpoint."""
    if is_variable(variable):
        _set_initializer(variable, path, name, "")
    else:
        for piece in variable:
            whole, info = variable[0]._save_slice_info.full_name, piece._save_slice_info
            if info.full_name != whole:
                raise ValueError(f"Slices must all be from the same tensor: {whole} != {info.full_name}")
            _set_initializer(piece, path, name, info.spec)
    tf_logging.debug("Initialize variable %s from checkpoint %s with %s", variable, path, name)


def _set_initializer(variable: Any, path: Any, name: str, part: str) -> None:
    with device(variable.device), device("/cpu:0"):
        value = gen_ops.restore_v2(path, [name], [part], [variable.dtype.base_dtype], name="checkpoint_initializer")[0]
        [(key, op)] = op_list_to_dict([variable]).items()
        [saveable] = saveable_objects_for_op(op, key)
    variable._initializer_op = saveable.restore([value], None)
    value.set_shape(variable.shape)
    variable._initial_value = value
