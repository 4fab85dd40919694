"""TensorFlow's path to the registration and initialization of resources."""

from tinytf._src.ops.state.resources import (
    initialize_resources,
    local_resources,
    register_resource,
    report_uninitialized_resources,
    shared_resources,
)

__all__ = [
    "initialize_resources",
    "local_resources",
    "register_resource",
    "report_uninitialized_resources",
    "shared_resources",
]
