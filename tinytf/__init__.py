"""tinytf: the TensorFlow-1 session system on an engine of its own.

`import tinytf as tf` gives the names of TensorFlow 1.15: build a graph, run it in a `tf.Session`.
"""

import atexit as _atexit
import os as _os
import sys as _sys
import typing as _typing

from tinytf import _main_interpreter  # first: the engine would wait for ever

# isort: split
try:
    from tinytf import _core
except ImportError as _error:
    if _error.name != "tinytf":  # it is there, but cannot be loaded
        raise
    raise ImportError(
        f"There is no engine compiled for this Python in {_os.path.dirname(__file__)}. If that is tinytf's source folder: "
        "install it, with `pip install .` or, to work on it, `make dev`, and start Python in another folder."
    ) from None

from tinytf import datasets
from tinytf._gen import gen_ops as _gen_ops
from tinytf._gen.endpoints import ENDPOINTS as _ENDPOINTS
from tinytf._gen.endpoints_root import *
from tinytf.client.interactive_session import InteractiveSession
from tinytf.client.session import Session
from tinytf.framework import errors_impl as _errors_impl
from tinytf.framework.constant_op import constant
from tinytf.framework.constant_value import constant_value as get_static_value
from tinytf.framework.conversion import (
    convert_to_tensor,
    convert_to_tensor_or_indexed_slices,
    register_tensor_conversion_function,
)
from tinytf.framework.default_graph import get_default_graph, get_default_session, reset_default_graph
from tinytf.framework.device import DeviceSpec
from tinytf.framework.dimension import Dimension, dimension_value
from tinytf.framework.dtypes import (
    DType,
    as_dtype,
    bfloat16,
    bool,
    complex64,
    complex128,
    double,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    qint8,
    qint16,
    qint32,
    quint8,
    quint16,
    resource,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
    variant,
)
from tinytf.framework.errors import OpError
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.graph import Graph
from tinytf.framework.graph_keys import GraphKeys
from tinytf.framework.importer import import_graph_def
from tinytf.framework.indexed_slices import IndexedSlices
from tinytf.framework.init_scope import init_scope
from tinytf.framework.name_scope import (
    add_to_collection,
    add_to_collections,
    colocate_with,
    container,
    control_dependencies,
    device,
    get_collection,
    get_collection_ref,
    name_scope,
    op_scope,
)
from tinytf.framework.operation import Operation
from tinytf.framework.random_seed import get_seed, set_random_seed
from tinytf.framework.sparse_tensor import SparseTensor, SparseTensorValue, convert_to_tensor_or_sparse_tensor
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_like import is_tensor
from tinytf.framework.tensor_shape import (
    TensorShape,
    dimension_at_index,
    disable_v2_tensorshape,
    enable_v2_tensorshape,
)
from tinytf.framework.tensor_spec import TensorSpec
from tinytf.framework.tensor_util import make_ndarray, make_tensor_proto
from tinytf.gradients.aggregation import AggregationMethod
from tinytf.gradients.custom_gradient import custom_gradient, grad_pass_through, recompute_grad
from tinytf.gradients.gradients_impl import gradients
from tinytf.gradients.registry import NoGradient, NotDifferentiable, RegisterGradient, no_gradient
from tinytf.gradients.unconnected import UnconnectedGradients
from tinytf.ops.array_ops import *
from tinytf.ops.checks.check_ops import *
from tinytf.ops.checks.numerics import *
from tinytf.ops.control_flow_ops import *
from tinytf.ops.data_flow.data_flow_ops import *
from tinytf.ops.data_flow.session_ops import delete_session_tensor, get_session_handle, get_session_tensor
from tinytf.ops.logging.logging_ops import *
from tinytf.ops.math.clip_ops import *
from tinytf.ops.math.histogram_ops import *
from tinytf.ops.math_ops import *
from tinytf.ops.random.random_ops import *
from tinytf.ops.script.script_ops import *
from tinytf.ops.state.state_ops import *
from tinytf.variables.collections import *
from tinytf.variables.creation import *
from tinytf.variables.initializers import *
from tinytf.variables.partitioners import *
from tinytf.variables.scope import *
from tinytf.variables.template import make_template
from tinytf.variables.variable import *
from tinytf.version import (
    COMPILER_VERSION,
    GIT_VERSION,
    GRAPH_DEF_VERSION,
    GRAPH_DEF_VERSION_MIN_CONSUMER,
    GRAPH_DEF_VERSION_MIN_PRODUCER,
    VERSION,
    __version__,
)

newaxis = None


def _complete() -> None:
    """Adds what no import names: the namespaces, wrappers that are the ops themselves, operators of variables."""
    from tinytf import api

    level = _os.environ.get("TINYTF_ISA")
    if level and not _core.has_isa(level):
        known = ", ".join(name for name in ("generic", "avx2", "avx512") if _core.has_isa(name))
        raise ImportError(
            f"The environment sets TINYTF_ISA to {level!r}, which is none of this machine's levels: {known}."
        )
    Variable._overload_operators()  # noqa: F405
    _core.set_error_factory(lambda code, message: _errors_impl.make_specific_exception(None, None, message, code))
    _atexit.register(_core.shutdown)
    _atexit.register(_end_eager_sessions)
    _core.set_default_session_factory(_default_eager_session)
    api.install(_sys.modules[__name__], _ENDPOINTS, _gen_ops)


def _default_eager_session() -> None:
    from tinytf.eager.session import EagerSession

    EagerSession.get_default()


def _end_eager_sessions() -> None:
    # Registered now, so that it runs after whatever a program registers.
    sessions = _sys.modules.get("tinytf.eager.session")
    if sessions is not None:
        sessions.end_at_exit()


_complete()

# Names that programs use less often, and whose modules cost time to import.
_MESSAGES = frozenset(
    (
        "AttrValue ConfigProto Event GPUOptions GraphDef GraphOptions HistogramProto LogMessage MetaGraphDef NameAttrList "
        "NodeDef OptimizerOptions RunMetadata RunOptions SessionLog Summary SummaryMetadata TensorInfo"
    ).split()
)
_EAGER = frozenset(("disable_eager_execution", "enable_eager_execution"))
_V2 = frozenset(("disable_v2_behavior", "enable_v2_behavior"))
_LATER = frozenset(
    (
        "CXX11_ABI_FLAG MONOLITHIC_BUILD app estimator flags get_logger gfile graph_util logging nest python_io resource_loader "
        "sysconfig test"
    ).split()
)


def __getattr__(name: str) -> _typing.Any:
    """Protobuf messages, namespaces and functions, loaded when first used."""
    value: _typing.Any
    if name in _MESSAGES:
        from tinytf import protos

        value = getattr(protos, name)
    elif name in _LATER:
        from tinytf.api import lazy

        value = lazy.ROOT[name]()
    elif name == "python":
        import tinytf.python as value
    elif name == "GradientTape":
        from tinytf.eager.backprop import GradientTape as value
    elif name == "contrib":
        import tinytf.contrib as value
    elif name == "examples":
        import tinytf.examples as value
    elif name == "EagerSession":
        from tinytf.eager.session import EagerSession as value
    elif name == "function":
        from tinytf.eager.function import function as value
    elif name in _EAGER:
        from tinytf.eager import mode

        value = getattr(mode, name)
    elif name in _V2:
        from tinytf.eager import v2_behavior

        value = getattr(v2_behavior, name)
    elif name == "eager":
        import tinytf.eager as value
    elif name == "memory_info":
        from tinytf.eager.memory import memory_info as value
    elif name == "replay":
        from tinytf.client.replay import replay as value
    else:
        from tinytf.api.missing import no_such_name

        raise no_such_name("tinytf", name)
    globals()[name] = value
    return value


_LAZY = "EagerSession GradientTape contrib eager examples function memory_info python replay".split()


_ROOMS = frozenset(
    "api client demos framework gradients insight ops platform protos testing tools training variables".split()
)  # the inside


def __dir__() -> list[str]:
    return sorted({*globals(), *_EAGER, *_V2, *_MESSAGES, *_LATER, *_LAZY} - _ROOMS)
