"""Writes `classes_of_1_15.json`; run in this folder by a Python with TensorFlow 1.15.5.

For each public class of `names_of_1_15.txt`, under its first name: its `__module__` and `__name__`, the first names of
its bases (null for private ones), the public and built-in classes among its base classes in `__mro__` order, and
whether its instances accept attributes. Classes without a public name of instances are looked up by their paths.
"""

import functools
import inspect
import json

import tensorflow as tf
from tensorflow.python.eager import def_function, function
from tensorflow.python.framework import func_graph, ops
from tensorflow.python.ops import resource_variable_ops, variable_scope, variables

OTHERS = {
    "EagerTensor": ops.EagerTensor,
    "FuncGraph": func_graph.FuncGraph,
    "ConcreteFunction": function.ConcreteFunction,
    "Function": def_function.Function,
    "RefVariable": variables.RefVariable,
    "ResourceVariable": resource_variable_ops.ResourceVariable,
    "VariableStore": variable_scope._VariableStore,
}


def classes():
    """The classes by their first public name."""
    found = {}
    for file in ("names_of_1_15.txt", "contrib_names_of_1_15.txt"):
        for line in open(file):
            name, kind = line.split()[:2]
            if kind != "class":
                continue
            try:
                value = functools.reduce(getattr, name.split(".")[1:], tf)
            except AttributeError:
                continue
            if (
                inspect.isclass(value)
                and value.__module__.startswith("tensorflow")
                and ".core." not in value.__module__
            ):
                found.setdefault(value, name)
    for name, value in OTHERS.items():
        found.setdefault(value, name)
    return found


def name_of(value, known):
    return known.get(value) or (value.__name__ if value.__module__ == "builtins" else None)


known = classes()
table = {
    name: [
        value.__module__,
        value.__name__,
        [name_of(base, known) for base in value.__bases__],
        [n for n in (name_of(base, known) for base in value.__mro__[1:]) if n],
        bool(value.__dictoffset__),
    ]
    for value, name in known.items()
}
with open("classes_of_1_15.json", "w") as file:
    json.dump({name: table[name] for name in sorted(table)}, file, indent=0)
    file.write("\n")
