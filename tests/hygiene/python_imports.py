"""What the modules of the Python package import: at their tops, and within functions, which is only later."""

import ast

from repository import PACKAGE, python_files


def module_name(path):
    """The full name of the module in a file of the package; that of a package for its `__init__.py`."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(name):
    """The room of a module: its folder or file below `tinytf._src`, or below `tinytf` where that is the public face."""
    parts = name.split(".")
    if parts[1:2] == ["_src"] and len(parts) > 2:
        return parts[2]
    return parts[1] if len(parts) > 1 else "__init__"


def _is_type_checking(node):
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def imports(tree, package):
    """Full names of what a module imports anywhere but under TYPE_CHECKING; `package` is where relative ones begin."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            base = ".".join(base + ([node.module] if node.module else []))
            yield from (f"{base}.{alias.name}" for alias in node.names)
        pending.extend(node.orelse if _is_type_checking(node) else ast.iter_child_nodes(node))


def package_imports():
    """Module → what it imports, for all modules of the package."""
    found = {}
    for path in python_files():
        module = module_name(path)
        package = module if path.name == "__init__.py" else module.rpartition(".")[0]
        found[module] = set(imports(ast.parse(path.read_text()), package))
    return found


def module_of(name, modules):
    """The module that an imported name is or is in; None if it is none of these."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name or None


def circles(graph):
    """Sets of more than one node of a graph, {node: nodes it leads to}, in which every node leads to every other."""
    order, root, stack, found = {}, {}, [], []

    def visit(node):
        order[node] = root[node] = len(order)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in order:
                visit(other)
            if other in root:
                root[node] = min(root[node], root[other])
        if root[node] == order[node]:
            circle = set(stack[stack.index(node) :])
            del stack[stack.index(node) :]
            for one in circle:
                del root[one]
            if len(circle) > 1:
                found.append(circle)

    for node in sorted(graph):
        if node not in order:
            visit(node)
    return found
