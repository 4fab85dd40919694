"""TensorFlow's path to `Defun`, the first generation of graph functions."""

from tinytf._src.eager.defined.defun import Defun, get_extra_args, get_extra_inputs, get_extra_vars
from tinytf._src.eager.defined.function import _DefinedFunction
from tinytf._src.eager.defined.overloaded import _OverloadedFunction

__all__ = [
    "Defun",
    "_DefinedFunction",
    "_OverloadedFunction",
    "get_extra_args",
    "get_extra_inputs",
    "get_extra_vars",
]
