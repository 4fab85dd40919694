"""Gradient functions obtain shapes through the helpers that return constants for known shapes."""

import ast

import pytest
from repository import IMPLEMENTATION, python_files

# Generated wrappers that create an op where TensorFlow's gradients use a constant or nothing, with the replacement.
WRAPPED = {
    "shape": "support.shape",
    "size": "support.size",
    "rank": "support.rank",
    "concat_v2": "array_ops.concat",
    "variable_shape": "state_grad.variable_shape",
}
SUPPORT = {"support.py", "state_grad.py"}  # the files that define these helpers


def _raw_calls(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("g", "gen_ops"):
            if node.attr in WRAPPED:
                yield f"line {node.lineno}: {node.value.id}.{node.attr}, use {WRAPPED[node.attr]}"


@pytest.mark.parametrize("path", python_files(IMPLEMENTATION / "gradients"), ids=lambda path: path.stem)
def test_shapes_are_constants_where_known(path):
    assert path.name in SUPPORT or not list(_raw_calls(path))
