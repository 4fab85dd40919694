"""TensorFlow's path to graphs, operations and tensors, and to the functions on the default graph."""

import abc as _abc
import typing as _typing

from tinytf._src.checkpoint import saver as _saver  # registers the proto conversion of its collection
from tinytf._src.checkpoint.collection_protos import *
from tinytf._src.checkpoint.collection_protos import _registry as _proto_function_registry
from tinytf._src.framework.composites.indexed_slices import *
from tinytf._src.framework.graph.default_graph import *
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.registries.flops import register_flops as _register_flops
from tinytf._src.framework.registries.shape_registry import *
from tinytf._src.framework.registries.shape_registry import _shape_registry
from tinytf._src.framework.registries.statistics import *
from tinytf._src.framework.registries.statistics import _stats_registry
from tinytf._src.framework.scopes.name_scope import *
from tinytf._src.framework.tensors.conversion import *
from tinytf._src.framework.tensors.eager_tensor import EagerTensor
from tinytf._src.framework.values.tensor_like import TensorLike as _Composite
from tinytf._src.framework.values.tensor_like import is_dense_tensor_like, register_dense_tensor_like_type
from tinytf._src.gradients.registry import *
from tinytf._src.gradients.registry import _gradients as _gradient_registry
from tinytf.python.paths import other_names as _other_names

_register_flops()


class _TensorLike(_abc.ABC):  # noqa: B024
    """Abstract base of tensors and composite tensors."""


_TensorLike.register(Tensor)
_TensorLike.register(_Composite)


def _as_graph_element(obj: _typing.Any) -> _typing.Any:
    """The graph element that an object such as a variable stands for; None for other objects."""
    convert = getattr(obj, "_as_graph_element", None)
    return convert() if convert else None


__getattr__ = _other_names(globals())
