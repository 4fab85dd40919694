"""TensorFlow's path to `Defun`, the first generation of graph functions."""

from tinytf.eager.defined.defun import Defun, get_extra_args, get_extra_inputs, get_extra_vars
from tinytf.eager.defined.function import _DefinedFunction
from tinytf.eager.defined.overloaded import _OverloadedFunction

__all__ = [
    "Defun",
    "_DefinedFunction",
    "_OverloadedFunction",
    "get_extra_args",
    "get_extra_inputs",
    "get_extra_vars",
]
