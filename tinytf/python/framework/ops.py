"""TensorFlow's path to graphs, operations and tensors, and to the functions on the default graph."""

import abc as _abc
import typing as _typing

from tinytf.framework.conversion import *
from tinytf.framework.default_graph import *
from tinytf.framework.eager_tensor import EagerTensor
from tinytf.framework.flops import register_flops as _register_flops
from tinytf.framework.graph import Graph
from tinytf.framework.graph_keys import GraphKeys
from tinytf.framework.indexed_slices import *
from tinytf.framework.name_scope import *
from tinytf.framework.operation import Operation
from tinytf.framework.shape_registry import *
from tinytf.framework.shape_registry import _shape_registry
from tinytf.framework.statistics import *
from tinytf.framework.statistics import _stats_registry
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_like import TensorLike as _Composite
from tinytf.framework.tensor_like import is_dense_tensor_like, register_dense_tensor_like_type
from tinytf.gradients.registry import *
from tinytf.gradients.registry import _gradients as _gradient_registry
from tinytf.python.paths import other_names as _other_names
from tinytf.saving import saver as _saver  # registers the proto conversion of its collection
from tinytf.saving.collection_protos import *
from tinytf.saving.collection_protos import _registry as _proto_function_registry

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
