"""Python operators of tensors, and of objects such as variables that are converted to tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import REPORTED, leave_to_user
from tinytf._src.framework.graph.tensor import OVERLOADABLE_OPERATORS, Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array.slicing import slice_helper
from tinytf._src.ops.linalg.products import matmul
from tinytf._src.ops.math.arithmetic import abs, as_quotient_types, div, floordiv, logical_xor, pow, truediv

_Binary = Callable[..., Any]

_read_at_once: set[type] = set()


def read_at_once(cls: type) -> None:
    """Registers a class whose objects are replaced by their `value()` in eager execution if they are right operands."""
    _read_at_once.add(cls)


def _add(x: Any, y: Any, name: str | None = None) -> Tensor:
    if x.dtype.base_dtype is dtypes.string:
        return gen_ops.add(x, y, name=name)
    return gen_ops.add_v2(x, y, name=name)


def _sub(x: Any, y: Any, name: str | None = None) -> Tensor:
    return gen_ops.sub(x, y, name=name)


def _mul(x: Any, y: Any, name: str | None = None) -> Any:
    if isinstance(y, SparseTensor):  # The product has the sparsity pattern of y.
        values = gen_ops.sparse_dense_cwise_mul(y.indices, y.values, y.dense_shape, x, name=name)
        return SparseTensor(y.indices, values, y.dense_shape)
    return gen_ops.mul(x, y, name=name)


def _mod(x: Any, y: Any, name: str | None = None) -> Tensor:
    return gen_ops.floor_mod(x, y, name=name)


def _and(x: Any, y: Any, name: str | None = None) -> Tensor:
    return gen_ops.logical_and(x, y, name=name)


def _or(x: Any, y: Any, name: str | None = None) -> Tensor:
    return gen_ops.logical_or(x, y, name=name)


def _install_op(operator: str, wrapper: str) -> None:
    """Installs an operator that is a single op. Its wrapper is looked up at the first use, because the lookup here
    would load all wrappers when the package is imported.
    """

    def first(x: Any, *others: Any) -> Any:
        function = getattr(gen_ops, wrapper)
        if getattr(Tensor, operator) is first:
            Tensor._override_operator(operator, function)
        try:
            return function(x, *others)
        except REPORTED:
            leave_to_user()
            raise

    first.__name__ = wrapper
    Tensor._override_operator(operator, first)


def _install_binary(function: _Binary, op_name: str) -> None:
    """Installs `x op y` and its reflected form; nodes are named after the operator."""

    def binary_op_wrapper(x: Any, y: Any) -> Any:
        if type(x) is Tensor and type(y) is Tensor and function is not logical_xor:
            try:
                # The node gets the same name as below; exclusive or creates several nodes.
                return function(x, y, name=op_name)
            except REPORTED:
                leave_to_user()
                raise
        if type(y) in _read_at_once and executing_eagerly():
            return function(x, y.value())
        with name_scope(None, op_name, [x, y]) as scope:
            if not isinstance(y, (Tensor, SparseTensor)):
                try:
                    y = convert_to_tensor(y, dtype_hint=x.dtype.base_dtype, name="y")
                except TypeError:
                    # A type that defines the reflected operator may handle a tensor itself.
                    if hasattr(type(y), f"__r{op_name}__"):
                        return NotImplemented
                    raise
            return function(x, y, name=scope)

    def r_binary_op_wrapper(y: Any, x: Any) -> Any:
        with name_scope(None, op_name, [x, y]) as scope:
            x = convert_to_tensor(x, dtype=y.dtype.base_dtype, name="x")
            return function(x, y, name=scope)

    Tensor._override_operator(f"__{op_name}__", binary_op_wrapper)
    Tensor._override_operator(f"__r{op_name}__", r_binary_op_wrapper)


def _install() -> None:
    binary: dict[str, _Binary] = {
        "add": _add,
        "sub": _sub,
        "mul": _mul,
        "div": div,
        "truediv": truediv,
        "floordiv": floordiv,
        "mod": _mod,
        "pow": pow,
        "matmul": matmul,
        "and": _and,
        "or": _or,
        "xor": logical_xor,
    }
    for op_name, function in binary.items():
        _install_binary(function, op_name)
    ops = {
        "lt": "less",
        "le": "less_equal",
        "gt": "greater",
        "ge": "greater_equal",
        "invert": "logical_not",
        "neg": "neg",
    }
    for op_name, wrapper in ops.items():
        _install_op(f"__{op_name}__", wrapper)
    Tensor._override_operator("__abs__", abs)
    Tensor._override_operator("__getitem__", slice_helper)


def overload_all_operators(
    cls: type, as_tensor: Callable[[Any], Any], getitem: Callable[..., Any] | None = None
) -> None:
    """Gives `cls` the operators of Tensor, applied to `as_tensor(self)`.

    `getitem(self, index)` replaces indexing, for objects that support assignment to slices.
    """

    def overload(operator: str) -> None:
        tensor_operator = getattr(Tensor, operator)

        def run(self: Any, *args: Any) -> Any:
            try:
                return tensor_operator(as_tensor(self), *args)
            except REPORTED:
                leave_to_user()
                raise

        run.__doc__, run.__name__, run.__module__ = (
            tensor_operator.__doc__,
            tensor_operator.__name__,
            tensor_operator.__module__,
        )
        setattr(cls, operator, run)

    for operator in OVERLOADABLE_OPERATORS:
        if operator != "__getitem__":
            overload(operator)
    setattr(cls, "__getitem__", getitem or (lambda self, index: slice_helper(as_tensor(self), index)))  # noqa: B010


def _install_sparse() -> None:
    """Installs multiplication and division of a SparseTensor by a dense tensor that broadcasts to its shape."""

    def install(op_name: str, gen_name: str) -> None:
        def binary_op_wrapper_sparse(sparse: Any, dense: Any) -> SparseTensor:
            values = sparse.values
            with name_scope(None, op_name, [sparse.indices, values, sparse.dense_shape, dense]) as scope:
                dense = convert_to_tensor(dense, dtype=sparse.dtype.base_dtype, name="y")
                if op_name == "truediv":
                    values, dense = as_quotient_types(values, dense)
                values = getattr(gen_ops, gen_name)(sparse.indices, values, sparse.dense_shape, dense, name=scope)
                return SparseTensor(sparse.indices, values, sparse.dense_shape)

        SparseTensor._override_operator(f"__{op_name}__", binary_op_wrapper_sparse)

    install("mul", "sparse_dense_cwise_mul")
    install("div", "sparse_dense_cwise_div")
    install("truediv", "sparse_dense_cwise_div")


_install()
_install_sparse()
