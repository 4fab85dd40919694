"""Resources that sessions initialize in addition to variables, and reports of the uninitialized ones."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from tinytf._gen import gen_ops
from tinytf._src.framework.apply.should_use import should_use_result
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.scopes.name_scope import device, name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.ops.array.gathering import boolean_mask
from tinytf._src.ops.array.joining import stack
from tinytf._src.ops.control_flow.dependencies import group


class _Resource(NamedTuple):
    handle: Any
    create: Any
    is_initialized: Any


def register_resource(handle: Any, create_op: Any, is_initialized_op: Any, is_shared: bool = True) -> None:
    """Adds a resource to a collection of the default graph: of shared resources, or of local ones.

    Args:
      handle: tensor that refers to the resource.
      create_op: operation that initializes it.
      is_initialized_op: bool scalar that tells whether it is initialized.
      is_shared: bool, whether the tasks of a cluster share the resource.
    """
    key = GraphKeys.RESOURCES if is_shared else GraphKeys.LOCAL_RESOURCES
    get_default_graph().add_to_collection(key, _Resource(handle, create_op, is_initialized_op))


def shared_resources() -> list[Any]:
    """Returns the resources that the tasks of a cluster share."""
    return get_default_graph().get_collection(GraphKeys.RESOURCES)


def local_resources() -> list[Any]:
    """Returns the resources that are local to each session."""
    return get_default_graph().get_collection(GraphKeys.LOCAL_RESOURCES)


def reporting_device() -> str:
    """Returns the device for reports; TF_DEVICE_FOR_UNINITIALIZED_VARIABLE_REPORTING overrides it."""
    return os.environ.get("TF_DEVICE_FOR_UNINITIALIZED_VARIABLE_REPORTING", "/cpu:0")


def report_uninitialized_resources(resource_list: Any = None, name: str = "report_uninitialized_resources") -> Tensor:
    """Returns the names of the uninitialized resources as a string vector; checks all resources if none are given."""
    if resource_list is None:
        resource_list = shared_resources() + local_resources()
    with name_scope(name), device(reporting_device()):
        if not resource_list:
            return constant([], dtype="string")
        missing = gen_ops.logical_not(stack([resource.is_initialized for resource in resource_list]))
        return boolean_mask(constant([resource.handle.name for resource in resource_list]), missing)


@should_use_result
def initialize_resources(resource_list: Any, name: str = "init") -> Any:
    """Returns an operation that initializes these resources."""
    return group(*(resource.create for resource in resource_list), name=name)
