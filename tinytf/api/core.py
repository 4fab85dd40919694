"""What is loaded with the package, whatever a program does: modules that complete what lies below them, which cannot ask for
them. Tensors get their operators so, values their conversions, threads their default graph, and nodes of imported graphs
what calls functions of Python."""

from tinytf import gradients as gradients  # the room, before its name is the function's
from tinytf.framework import constant_op as constant_op
from tinytf.framework import eager_tensor as eager_tensor
from tinytf.framework import error_interpolation as error_interpolation
from tinytf.framework import graph as graph
from tinytf.ops import operators as operators
from tinytf.ops.array import densify as densify
from tinytf.ops.array import joining as joining
from tinytf.ops.script import python_functions as python_functions
from tinytf.variables import creation as creation
