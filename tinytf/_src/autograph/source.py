"""Finds the syntax tree of an existing function in the source file that defined it."""

from __future__ import annotations

import ast
import copy
import linecache
from dataclasses import dataclass
from types import CodeType, FunctionType

from tinytf._src.autograph.syntax import parsed
from tinytf._src.autograph.unsupported import Unsupported

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True)
class Source:
    """A copy of the function's node, which the caller may modify, and the name of the innermost enclosing class or
    None."""

    node: FunctionNode
    class_name: str | None


@dataclass(frozen=True)
class _File:
    lines: list[str]
    tree: ast.Module


_files: dict[str, _File] = {}


def source_of(function: FunctionType) -> Source:
    """Returns the source of a function, from a file, a notebook cell or anything else that `linecache` can read.

    Raises Unsupported if there is no source, or if the source has changed and no longer matches the function.
    """
    code = function.__code__
    file = _file(code.co_filename, function.__globals__)
    found = [(node, name) for node, name in _functions(file.tree) if _fits(node, code)]
    if len(found) > 1:
        found = _same_turn(found, file.tree, code) or _same_place(found, code)
    if len(found) != 1:
        raise Unsupported(f"its source code was not found at {code.co_filename}:{code.co_firstlineno}")
    node, class_name = found[0]
    return Source(copy.deepcopy(node), class_name)


def _file(name: str, module: dict[str, object]) -> _File:
    linecache.checkcache(name)
    lines = linecache.getlines(name, module)
    if not lines:
        raise Unsupported(f"the source code of {name} is not available")
    known = _files.get(name)
    if known is None or known.lines != lines:
        try:
            tree = parsed("".join(lines), name)
        except SyntaxError as error:
            raise Unsupported(f"the source code of {name} cannot be parsed: {error}") from None
        known = _files[name] = _File(lines, tree)
    return known


def _functions(tree: ast.AST, class_name: str | None = None) -> list[tuple[FunctionNode, str | None]]:
    """Returns all functions in source order, each with the name of the innermost enclosing class."""
    found: list[tuple[FunctionNode, str | None]] = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, FunctionNode):
            found.append((node, class_name))
        inner = node.name if isinstance(node, ast.ClassDef) else class_name
        found += _functions(node, inner)
    return found


def _fits(node: FunctionNode, code: CodeType) -> bool:
    if isinstance(node, ast.Lambda):
        name, first = "<lambda>", node.lineno
    else:
        name, first = node.name, min([node.lineno, *(d.lineno for d in node.decorator_list)])
    return name == code.co_name and first == code.co_firstlineno and _parameter_count(node.args) == _taken(code)


def _parameter_count(args: ast.arguments) -> tuple[int, int, bool, bool]:
    positional = len(args.posonlyargs) + len(args.args)
    return positional, len(args.kwonlyargs), args.vararg is not None, args.kwarg is not None


def _taken(code: CodeType) -> tuple[int, int, bool, bool]:
    return code.co_argcount, code.co_kwonlyargcount, bool(code.co_flags & 4), bool(code.co_flags & 8)


_Found = list[tuple[FunctionNode, str | None]]


def _same_place(found: _Found, code: CodeType) -> _Found:
    """Selects the function whose source range contains the column positions of the code's instructions (Python 3.11 and
    later).

    Used for code that is not equal to a compilation of the source as it stands.
    """
    positions = getattr(code, "co_positions", None)
    if positions is None:
        return []
    known = [place for place in positions() if None not in place]
    inner = [(line, column) for line, end, column, last in known if (line, column) != (end, last)]

    def holds(node: FunctionNode) -> bool:
        first, last = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
        return all(first <= place < last for place in inner)

    fitting = [(node, name) for node, name in found if inner and holds(node)]
    # Nested functions all contain the positions; the innermost one starts last.
    return sorted(fitting, key=lambda pair: (pair[0].lineno, pair[0].col_offset))[-1:]


def _same_turn(found: _Found, tree: ast.Module, code: CodeType) -> _Found:
    """Selects the function that compiles to an equal code object; the first one if several do."""
    codes = [c for c in _codes(compile(tree, code.co_filename, "exec", dont_inherit=True)) if _alike(c, code)]
    if len(codes) < len(found):
        found = _distinct(found)
    turns = [i for i, c in enumerate(codes) if c == code]
    return [found[turns[0]]] if turns and len(codes) == len(found) else []


def _distinct(found: _Found) -> _Found:
    """Omits lambdas that repeat an earlier one, apart from defaults: before Python 3.11, which compares columns too, the
    compiler makes one constant of equal code objects.
    """
    first: dict[str, tuple[FunctionNode, str | None]] = {}
    for node, name in found:
        plain = copy.deepcopy(node)
        plain.args.defaults, plain.args.kw_defaults = [], []
        first.setdefault(ast.dump(plain), (node, name))
    return list(first.values())


def _codes(code: CodeType) -> list[CodeType]:
    inner = [c for c in code.co_consts if isinstance(c, CodeType)]
    return [c for outer in inner for c in (outer, *_codes(outer))]


def _alike(one: CodeType, other: CodeType) -> bool:
    same_place = (one.co_name, one.co_firstlineno) == (other.co_name, other.co_firstlineno)
    return same_place and _taken(one) == _taken(other)
