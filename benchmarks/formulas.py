"""Element-wise formulas that are written once and translated for every peer.

A formula is a list of (operator, operand). The running value starts as x and is replaced by `operator(value)`,
`operator(value, constant)`, `operator(value, x)` or `operator(value, value)`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Formula = list[tuple[str, Any]]

CHAIN: Formula = [("Mul", 0.5), ("Add", 1.0)] * 500
TEN_OPS: Formula = [
    ("Mul", 1.5),
    ("Add", 0.5),
    ("Mul", "value"),
    ("Sub", "x"),
    ("Max", 0.1),
    ("Sqrt", None),
    ("Mul", "x"),
    ("Add", 1.0),
    ("Abs", None),
    ("Min", 2.0),
]
FOUR_FUNCTIONS: Formula = [("Tanh", None), ("Exp", None), ("Sigmoid", None), ("Log", None)]


def _evaluate(formula: Formula, x: Any, functions: dict[str, Any], constants: dict[float, Any] | None = None) -> Any:
    value = x
    for operator, operand in formula:
        if operand is None:
            value = functions[operator](value)
            continue
        if operand == "x":
            other = x
        elif operand == "value":
            other = value
        else:
            other = constants[operand] if constants else operand
        value = functions[operator](value, other)
    return value


def tf_formula(tf: Any, formula: Formula, x: Any) -> Any:
    """The tensor of the formula applied to the tensor x; equal constants share one node."""
    names = {"Mul": "multiply", "Add": "add", "Sub": "subtract", "Max": "maximum", "Min": "minimum", "Log": "log"}
    names.update({"Sqrt": "sqrt", "Abs": "abs", "Tanh": "tanh", "Exp": "exp", "Sigmoid": "sigmoid"})
    functions = {operator: getattr(tf, name) for operator, name in names.items()}
    constants = {c: tf.constant(c) for c in dict.fromkeys(o for _, o in formula if isinstance(o, float))}
    return _evaluate(formula, x, functions, constants)


def torch_formula(torch: Any, formula: Formula) -> Any:
    """The formula as a function of a torch tensor."""
    functions = {
        "Mul": torch.mul,
        "Add": torch.add,
        "Sub": torch.sub,
        "Max": torch.clamp_min,
        "Min": torch.clamp_max,
        "Sqrt": torch.sqrt,
        "Abs": torch.abs,
        "Tanh": torch.tanh,
        "Exp": torch.exp,
        "Sigmoid": torch.sigmoid,
        "Log": torch.log,
    }
    return lambda x: _evaluate(formula, x, functions)


def numpy_formula(formula: Formula, x: np.ndarray) -> Any:
    """A function that evaluates the formula on x."""
    functions = {
        "Mul": np.multiply,
        "Add": np.add,
        "Sub": np.subtract,
        "Max": np.maximum,
        "Min": np.minimum,
        "Sqrt": np.sqrt,
        "Abs": np.abs,
        "Tanh": np.tanh,
        "Exp": np.exp,
        "Sigmoid": lambda value: 1 / (1 + np.exp(-value)),
        "Log": np.log,
    }
    return lambda: _evaluate(formula, x, functions)


def onnx_formula(peer: Any, formula: Formula, x: np.ndarray) -> Any:
    """A function that runs the formula as an ONNX model on x."""
    nodes, constants, value = [], {}, "x"
    for i, (operator, operand) in enumerate(formula):
        inputs = [value]
        if operand == "x":
            inputs.append("x")
        elif operand == "value":
            inputs.append(value)
        elif operand is not None:
            constants[f"c{operand}"] = np.array(operand, np.float32)
            inputs.append(f"c{operand}")
        value = f"v{i}"
        nodes.append((operator, inputs, [value], {}))
    return peer.program(nodes, {"x": x}, **constants)
