"""Generates the tables `tinytf._gen.public_names` and `namespaces`: the location of each public name, from `tf_export`
declarations and the endpoints of ops, and the namespaces.

A `tf_export` declaration overrides an op's endpoint of the same name; any other duplicate is an error.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

_HEADER = '"""Written from the declarations with tf_export. Do not edit."""\n\n'
# Parts of the package that declare no public names: what is generated, the tools, and `exports`, which defines tf_export.
_NOT_READ = {("_gen",), ("_src", "tools"), ("_src", "exports")}


class Declared(NamedTuple):
    """A public name, such as `math.abs`, and its location: a module and an attribute, '' for the module itself."""

    name: str
    module: str
    attribute: str


class Table(NamedTuple):
    """Locations by public name, and docstrings of the namespaces by name."""

    places: dict[str, str]
    namespaces: dict[str, str]


class _Module:
    """The declarations in one file."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.tree = ast.parse(text)
        self.declared: list[Declared] = []
        self.namespaces: list[tuple[str, str]] = []
        for node in self.tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                for decorator in node.decorator_list:
                    for public in self._exported(decorator):
                        self.declared.append(Declared(public, name, node.name))
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                self._read_method(node.value)

    def _exported(self, node: ast.expr) -> list[str]:
        """The names in `tf_export("a", "b")`; empty for other expressions."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tf_export":
            return list(self._strings(node.args))
        return []

    def _read_method(self, call: ast.Call) -> None:
        if not isinstance(call.func, ast.Attribute):
            return
        public = self._exported(call.func.value)
        arguments = list(self._strings(call.args)) if public else []
        for name in public:
            if call.func.attr == "namespace":
                self.namespaces.append((name, arguments[0]))
            elif call.func.attr == "module":
                self.declared.append(Declared(name, arguments[0], ""))
            elif call.func.attr == "constant":
                self.declared.append(Declared(name, arguments[0], arguments[1]))
            else:
                self.declared += [Declared(name.replace("*", a), arguments[0], a) for a in arguments[1:]]

    def _strings(self, nodes: list[ast.expr]) -> Iterator[str]:
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
            elif isinstance(node, ast.Name) and node.id == "__name__":
                yield self.name
            elif isinstance(node, ast.Name) and node.id == "__doc__":
                yield ast.get_docstring(self.tree, clean=False) or ""
            elif isinstance(node, ast.Starred) and ast.unparse(node.value) == "__all__":
                yield from self._list("__all__")
            else:
                raise ValueError(f"{self.name}, line {node.lineno}: the arguments of tf_export must be string literals")

    def _list(self, name: str) -> list[str]:
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
                return list(ast.literal_eval(node.value))
        raise ValueError(f"{self.name} has no list {name}")


def _read(package: Path) -> Iterator[_Module]:
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        text = "" if {parts[:1], parts[:2]} & _NOT_READ else path.read_text()
        if "tf_export" in text:
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            yield _Module(".".join([package.name, *parts]), text)


def table(package: Path, endpoints: Mapping[str, str]) -> Table:
    """The declarations of the package in this folder, completed by the endpoints' locations. Raises ValueError for a
    name with two locations and for declarations that are not string literals."""
    modules = list(_read(package))
    places: dict[str, str] = {}
    for name, home, attribute in (declared for module in modules for declared in module.declared):
        place = f"{home}:{attribute}".removeprefix(package.name)
        if places.setdefault(name, place) != place:
            raise ValueError(f"tf.{name} is declared twice: {places[name]} and {place}")
    for name, place in endpoints.items():
        places.setdefault(name, place)
    return Table(places, dict(pair for module in modules for pair in module.namespaces))


def generate(package: Path, endpoints: Mapping[str, str]) -> dict[str, str]:
    """The contents of the files, by file name."""
    places, namespaces = table(package, endpoints)
    names = [f'    "{name}": "{place}",' for name, place in sorted(places.items())]
    docs = [f'    "{name}": {doc!r},' for name, doc in sorted(namespaces.items())]
    return {
        "public_names.py": _text("Public name → module:attribute.", "PLACES", names),
        "namespaces.py": _text("Module without a file → its docstring.", "NAMESPACES", docs),
    }


def _text(comment: str, name: str, entries: list[str]) -> str:
    return _HEADER + "\n".join([f"# {comment}", f"{name} = {{", *entries, "}"]) + "\n"
