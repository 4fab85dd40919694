"""tinytf: the TensorFlow-1 session system on an engine of its own.

`import tinytf as tf` gives the names of TensorFlow 1.15: build a graph, run it in a `tf.Session`.
"""

import atexit as _atexit
import os as _os
import sys as _sys
import typing as _typing

from tinytf._src import _main_interpreter  # first: the engine would wait for ever

# isort: split
try:
    from tinytf import _core
except ImportError as _error:
    if _error.name != "tinytf":  # it is there, but cannot be loaded
        raise
    raise ImportError(
        f"There is no engine compiled for this Python in {_os.path.dirname(__file__)}. If that is tinytf's source folder, "
        "install tinytf with `pip install .` (or `make dev` to work on it), and start Python in another folder."
    ) from None

from tinytf._src import api as _api
from tinytf._src.api import core as _core_parts
from tinytf._src.framework import process_end as _process_end
from tinytf._src.framework.errors import errors_impl as _errors_impl
from tinytf._src.framework.registries.node_gradients import node_gradients as _node_gradients
from tinytf.version import __version__


def _complete() -> None:
    """Settles what the engine asks of Python, and makes the namespaces."""
    level = _os.environ.get("TINYTF_ISA")
    if level and not _core.has_isa(level):
        known = ", ".join(name for name in ("generic", "avx2", "avx512") if _core.has_isa(name))
        raise ImportError(
            f"The environment sets TINYTF_ISA to {level!r}, which this machine does not support. It supports: {known}."
        )
    _core.set_error_factory(_error_of_engine)
    _atexit.register(_core.shutdown)
    _atexit.register(_process_end.run_actions)  # now, so that it runs after whatever a program registers
    _core.set_default_session_factory(_default_eager_session)
    _node_gradients.of_branches, _node_gradients.of_loop = _gradient_of_branches, _gradient_of_loop
    _node_gradients.of_defined_call = _gradient_of_defined_call
    _api.install(_sys.modules[__name__])


def _error_of_engine(code: int, message: str) -> Exception:
    """The exception for an error of the engine. Sessions complete the errors of nodes. In eager execution there
    is no graph, but nodes of functions that datasets call are known."""
    if "{{function_node " in message and _is_eager():
        from tinytf._src.framework.errors.error_interpolation import make_op_error

        return make_op_error(None, code, message)
    return _errors_impl.make_specific_exception(None, None, message, code)


def _is_eager() -> bool:
    from tinytf._src.framework.context.execution import executing_eagerly

    return executing_eagerly()


def _default_eager_session() -> None:
    from tinytf._src.eager.session import EagerSession

    EagerSession.get_default()


def _gradient_of_branches(op: _typing.Any, grads: _typing.Any) -> _typing.Any:
    from tinytf._src.eager.control_flow.branches import gradient_of_branch_node

    return gradient_of_branch_node(op, grads)


def _gradient_of_loop(op: _typing.Any, grads: _typing.Any) -> _typing.Any:
    from tinytf._src.eager.control_flow.loops import gradient_of_loop_node

    return gradient_of_loop_node(op, grads)


def _gradient_of_defined_call(op: _typing.Any, grads: _typing.Any) -> _typing.Any:
    from tinytf._src.eager.control_flow.defined_parts import gradient_of_defined_call

    return gradient_of_defined_call(op, grads)


def __getattr__(name: str) -> _typing.Any:
    """Public names are loaded when first used."""
    return _api.load(_sys.modules[__name__], name)


def __dir__() -> list[str]:
    return _api.names(_sys.modules[__name__])


_complete()
