"""Writes `classes_of_1_15.json`: run by TensorFlow 1.15.5's Python, in this folder.

For each public class of `names_of_1_15.txt`, under the first of its names: its `__module__` and `__name__`, the first
names of its bases, null for private ones, those of the public classes and Python's own classes that it derives from, in
the order of its `__mro__`, and whether its instances take attributes. Classes of instances that have no public name are
looked up by their paths.
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
    """The first public name of each class."""
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
