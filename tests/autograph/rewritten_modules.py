"""Copies of standard library modules with rewritten functions: a large corpus of varied code."""

import ast
import importlib
import importlib.util
import inspect
import sys

from tinytf._src.autograph.calls import operators_of
from tinytf._src.autograph.features import Options
from tinytf._src.autograph.nodes import OPERATORS
from tinytf._src.autograph.rewriting import rewrite
from tinytf._src.autograph.unsupported import Unsupported


def rewritten_module(name):
    """Returns a copy of a module with all rewritable functions and methods rewritten, and their number."""
    original = importlib.import_module(name)
    tree = ast.parse(inspect.getsource(original))
    count = _rewrite_all(tree, None)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, None))
    module.__file__ = original.__file__
    setattr(module, OPERATORS, operators_of(Options()))
    code = compile(ast.fix_missing_locations(tree), original.__file__, "exec", dont_inherit=True)
    sys.modules[name] = module  # decorators such as `enum.global_enum` look the unfinished module up here
    try:
        exec(code, vars(module))
    finally:
        sys.modules[name] = original
    return module, count


def _rewrite_all(tree, class_name):
    count = 0
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            count += _rewrite_all(node, node.name)
        elif isinstance(node, ast.FunctionDef):
            decorators, node.decorator_list = node.decorator_list, []
            try:
                rewrite(node, Options(), {"__class__"} if class_name else set(), class_name)
                count += 1
            except Unsupported:
                pass  # generators
            node.decorator_list = decorators
        else:
            count += _rewrite_all(node, class_name)
    return count
