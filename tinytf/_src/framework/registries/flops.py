"""Floating-point operation counts of nodes, for the ops for which TensorFlow has them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tinytf._src.framework.graph_defs.graph_util import tensor_shape_from_node_def_name
from tinytf._src.framework.registries.statistics import OpStats, RegisterStatistics

_KIND = "flops"
_FIRST_LAYOUTS = (b"NHWC", b"")

# Operations per element of the first input, or of the output; for sums, per summed element and per result.
_BY_INPUT = {
    "AssignAdd": 1,
    "AssignSub": 1,
    "BiasAdd": 1,
    "Log": 1,
    "Neg": 1,
    "Reciprocal": 1,
    "Rsqrt": 2,
    "Softmax": 5,
    "Square": 1,
}
_BY_OUTPUT = {
    "Add": 1,
    "Equal": 1,
    "Greater": 1,
    "GreaterEqual": 1,
    "Less": 1,
    "LessEqual": 1,
    "Maximum": 1,
    "Minimum": 1,
    "Mul": 1,
    "NotEqual": 1,
    "Pow": 1,
    "RealDiv": 1,
    "RsqrtGrad": 4,
    "SquaredDifference": 2,
    "Sub": 1,
}
_SUMS = {"ArgMax": (1, 0), "ArgMin": (1, 0), "BiasAddGrad": (1, 0), "Mean": (1, 1), "Sum": (1, 0)}


def _shape(graph: Any, name: str) -> Any:
    """The static shape of a tensor. Raises ValueError if it is not fully defined."""
    shape = tensor_shape_from_node_def_name(graph, name)
    shape.assert_is_fully_defined()
    return shape


def _size(graph: Any, name: str) -> int:
    size: int = _shape(graph, name).num_elements()
    return size


def _register(op: str, count: Callable[[Any, Any], Any]) -> None:
    RegisterStatistics(op, _KIND)(lambda graph, node: OpStats(_KIND, count(graph, node)))


def _of_input(each: int) -> Callable[[Any, Any], int]:
    return lambda graph, node: each * _size(graph, node.input[0])


def _of_output(each: int) -> Callable[[Any, Any], int]:
    return lambda graph, node: each * _size(graph, node.name)


def _of_sum(each: int, end: int) -> Callable[[Any, Any], int]:
    return lambda graph, node: each * _size(graph, node.input[0]) + (end - each) * _size(graph, node.name)


def _check_layout(node: Any) -> None:
    """Raises ValueError unless channels are the last dimension."""
    if node.attr["data_format"].s not in _FIRST_LAYOUTS:
        raise ValueError("Only NHWC format is supported in flops computations")


def _window(node: Any) -> int:
    _check_layout(node)
    return math.prod(node.attr["ksize"].list.i)


def _pool(graph: Any, node: Any) -> int:
    return _window(node) * _size(graph, node.name)


def _avg_pool_grad(graph: Any, node: Any) -> int:
    return 2 * _window(node) * _size(graph, node.input[1])


def _max_pool_grad(graph: Any, node: Any) -> int:
    return _window(node) * _size(graph, node.input[1]) + _size(graph, node.input[2])


def _conv_grad(graph: Any, image: str, kernel: str, node: Any) -> float:
    _check_layout(node)
    shape = _shape(graph, image)
    strides = math.prod(node.attr["strides"].list.i)
    return 2 * shape.num_elements() * _size(graph, kernel) / (shape[-1].value * strides)


def _matrix_product(transpose: str, first: int, last: int) -> Callable[[Any, Any], int]:
    def count(graph: Any, node: Any) -> int:
        inner = _shape(graph, node.input[0])[first if node.attr[transpose].b else last].value
        return 2 * inner * _size(graph, node.name)

    return count


def _kernel_product(sizes: slice) -> Callable[[Any, Any], int]:
    """Counts one multiplication and one addition per filter element for each output element; `sizes` selects dimensions
    of the filter."""

    def count(graph: Any, node: Any) -> int:
        _shape(graph, node.input[0])
        return 2 * math.prod(_shape(graph, node.input[1]).as_list()[sizes]) * _size(graph, node.name)

    return count


_BY_RULE: dict[str, Callable[[Any, Any], Any]] = {
    "AddN": lambda graph, node: _size(graph, node.name) * (len(node.input) - 1),
    "L2Loss": lambda graph, node: 3 * _size(graph, node.input[0]) - 1,
    "AvgPool": _pool,
    "MaxPool": _pool,
    "AvgPoolGrad": _avg_pool_grad,
    "MaxPoolGrad": _max_pool_grad,
    "MatMul": _matrix_product("transpose_a", 0, 1),
    "BatchMatMul": _matrix_product("adj_x", -2, -1),
    "Conv2D": _kernel_product(slice(0, 3)),
    "Conv3D": _kernel_product(slice(0, 4)),
    "DepthwiseConv2dNative": _kernel_product(slice(0, 2)),
    "Dilation2D": _kernel_product(slice(0, 2)),
    "Conv2DBackpropInput": lambda graph, node: _conv_grad(graph, node.name, node.input[1], node),
    "Conv2DBackpropFilter": lambda graph, node: _conv_grad(graph, node.input[0], node.name, node),
}


def register_flops() -> None:
    """Registers the statistic "flops" for all these ops; call it once."""
    for op, each in _BY_INPUT.items():
        _register(op, _of_input(each))
    for op, each in _BY_OUTPUT.items():
        _register(op, _of_output(each))
    for op, both in _SUMS.items():
        _register(op, _of_sum(*both))
    for op, count in _BY_RULE.items():
        _register(op, count)
