"""Converts functions: finds, rewrites and compiles the source, once for all functions that share a code object.

The new code keeps the file name and the line numbers of the old code, so that tracebacks and debuggers show the user's
source.
"""

from __future__ import annotations
import __future__

import ast
import weakref
from types import CellType, CodeType, FunctionType
from typing import Any

from tinytf._src.autograph.features import Options
from tinytf._src.autograph.nodes import OPERATORS, at, constant, is_own
from tinytf._src.autograph.nodes import function as made_function
from tinytf._src.autograph.rewriting import rewrite
from tinytf._src.autograph.source import source_of
from tinytf._src.autograph.unsupported import Unsupported

_FACTORY, _FUNCTION = "ag__factory", "ag__function"
_FUTURE = sum({getattr(__future__, name).compiler_flag for name in __future__.all_feature_names})

_made: dict[Options, weakref.WeakKeyDictionary[CodeType, dict[str, CodeType]]] = {}


def is_rewritten(function: FunctionType) -> bool:
    """Whether a function is the result of a conversion, or was defined in one, and has rewritten code."""
    return OPERATORS in function.__code__.co_freevars


def rewritten(function: FunctionType, options: Options, operators: Any) -> FunctionType:
    """Returns the converted function, whose free variable `ag__` is `operators`.

    It shares the closure cells, globals, defaults and attributes of the old function. Raises Unsupported if the
    function cannot be converted.
    """
    code = _code(function, options)
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    cells[OPERATORS] = CellType(operators)
    closure = tuple(cells[name] for name in code.co_freevars)
    new = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    new.__kwdefaults__ = function.__kwdefaults__
    new.__doc__, new.__module__, new.__qualname__ = function.__doc__, function.__module__, function.__qualname__
    lazily = "__annotate__" if hasattr(new, "__annotate__") else "__annotations__"  # from Python 3.14 on
    setattr(new, lazily, getattr(function, lazily))
    new.__dict__.update(function.__dict__)
    return new


def rewritten_source(function: FunctionType, options: Options) -> str:
    """Returns the source code of the converted function."""
    return ast.unparse(ast.fix_missing_locations(_node(function, options)[0])) + "\n"


def _code(function: FunctionType, options: Options) -> CodeType:
    old = function.__code__
    known = _made.setdefault(options, weakref.WeakKeyDictionary()).setdefault(old, {})
    code = known.get(old.co_filename)
    if code is None:
        code = known[old.co_filename] = _compiled(function, options)
    return code


def _node(function: FunctionType, options: Options) -> tuple[Any, str | None]:
    source = source_of(function)
    rewrite(source.node, options, set(function.__code__.co_freevars), source.class_name)
    return source.node, source.class_name


def _compiled(function: FunctionType, options: Options) -> CodeType:
    """Compiles the rewritten function and returns its code object.

    The source is compiled inside a factory function that defines the free variables of the old function, and inside a
    class with the name of the innermost enclosing class, so that private names are mangled as before.
    """
    node, class_name = _node(function, options)
    old = function.__code__
    _strip(node)
    name = old.co_name
    if isinstance(node, ast.FunctionDef):  # the user's name would hide a global of that name
        name = node.name = _FUNCTION
    body: list[ast.stmt] = [node] if isinstance(node, ast.FunctionDef) else [at(ast.Return(node), node)]
    factory = made_function(_FACTORY, body)
    factory.args.args = [ast.arg(name) for name in (OPERATORS, *old.co_freevars)]
    whole: ast.stmt = factory
    if class_name is not None:
        whole = ast.ClassDef(class_name, [], [], [factory], [])
        if "type_params" in whole._fields:
            whole.type_params = []  # type: ignore[attr-defined]
    module = ast.fix_missing_locations(ast.Module([at(whole, node)], []))
    try:
        code = compile(module, old.co_filename, "exec", old.co_flags & _FUTURE, dont_inherit=True)
    except SyntaxError as error:  # raised for rules that Python checks only at compilation
        raise Unsupported(f"it cannot be compiled: {error}") from None
    while code.co_name != _FACTORY:
        code = _inner(code, {_FACTORY, class_name})
    made = f"{class_name}.{_FACTORY}.<locals>.{name}" if class_name else f"{_FACTORY}.<locals>.{name}"
    return _named(_inner(code, {name}), made, function.__qualname__, old.co_name)


def _inner(code: CodeType, names: set[str | None]) -> CodeType:
    return next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name in names)


def _strip(node: Any) -> None:
    """Removes decorators, defaults and annotations, which are taken from the existing function."""
    args = node.args
    args.defaults = [at(constant(None), node) for _ in args.defaults]
    args.kw_defaults = [default and at(constant(None), node) for default in args.kw_defaults]
    for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg):
        if arg is not None:
            arg.annotation = None
    if isinstance(node, ast.FunctionDef):
        node.decorator_list, node.returns = [], None
        if "type_params" in node._fields:
            node.type_params = []  # type: ignore[attr-defined]


def _named(code: CodeType, made: str, given: str, around: str) -> CodeType:
    """Replaces generated names in a code object: code of generated functions gets the name of the enclosing user
    function."""
    name = around if is_own(code.co_name) else code.co_name

    def renamed(text: str) -> str:
        parts = text.replace(made, given, 1).split(".<locals>.")
        return ".<locals>.".join(part for part in parts if not is_own(part)) if text.startswith(made) else text

    def constant_of(value: Any) -> Any:
        if isinstance(value, CodeType):
            return _named(value, made, given, name)
        return renamed(value) if isinstance(value, str) else value

    changed: dict[str, Any] = {"co_name": name, "co_consts": tuple(map(constant_of, code.co_consts))}
    if hasattr(code, "co_qualname"):
        changed["co_qualname"] = renamed(code.co_qualname)
    return code.replace(**changed)
