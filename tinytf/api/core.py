"""Modules that are always loaded with the package because lower layers cannot import them: they register the operators
of tensors, the conversions of values, the default graph of threads, and the callbacks of Python function nodes in
imported graphs."""

from tinytf import gradients as gradients  # the package, before the name `gradients` means the function
from tinytf.framework import constant_op as constant_op
from tinytf.framework import eager_tensor as eager_tensor
from tinytf.framework import error_interpolation as error_interpolation
from tinytf.framework import graph as graph
from tinytf.ops import operators as operators
from tinytf.ops.array import densify as densify
from tinytf.ops.array import joining as joining
from tinytf.ops.script import python_functions as python_functions
from tinytf.variables import creation as creation
