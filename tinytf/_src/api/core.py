"""Modules that are always loaded with the package because lower layers cannot import them: they register the operators
of tensors, the conversions of values, and the callbacks of Python function nodes in imported graphs."""

from tinytf._src import gradients as gradients
from tinytf._src.framework.errors import error_interpolation as error_interpolation
from tinytf._src.framework.tensors import constant_op as constant_op
from tinytf._src.framework.tensors import eager_tensor as eager_tensor
from tinytf._src.ops import operators as operators
from tinytf._src.ops.array import indexed_slices_conversion as indexed_slices_conversion
from tinytf._src.ops.array import joining as joining
from tinytf._src.ops.script import python_functions as python_functions
from tinytf._src.ops.script import sql_rows as sql_rows
from tinytf._src.variables import creation as creation
