"""Loads the programs that make datasets, and what TensorFlow 1.15 makes of them: graphs, elements and errors.

A program is a function of `tf` that returns a dataset, an iterator, or a pair (operation to run first, tensors). The
names of a file that begin with `_` are helpers. `python tests/data/data_programs.py [file …]`, run by an interpreter
with TensorFlow 1.15, records the outcomes. Must work on Python 3.7.
"""

import gzip
import json
import os
import re
import runpy
import shutil
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

_HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(_HERE.parent / "graphs"))

from graph_text import function_lines, graph_lines  # noqa: E402

_RECORDED = _HERE / "outcomes_of_1_15"
FILES = sorted(_HERE.joinpath("programs").glob("*.py"))
_MOST = 40  # elements that are recorded
# A number that is counted per process, or a hash of a definition with such numbers, at the end of a function's name.
_ENDING = re.compile("_([0-9]+|[0-9A-Za-z]{8,11})$")
_FUNCTION = re.compile("{{function_node [^}]*}} ")  # TensorFlow says in which function a node failed
_COUNTED = re.compile(r"(?<=pyfunc_)\d+|0x[0-9a-f]+")


def programs_of(file):
    """The programs of a file, by name."""
    names = runpy.run_path(str(file)).items()
    return {name: value for name, value in names if callable(value) and name[0] != "_" and value.__module__ != "typing"}


def load_programs():
    """All programs, by `file/name`."""
    return {f"{file.stem}/{name}": program for file in FILES for name, program in programs_of(file).items()}


def recorded_outcomes():
    """The outcomes in TensorFlow, by program."""
    outcomes = {}
    for file in sorted(_RECORDED.glob("*.json.gz")):
        outcomes.update(json.loads(gzip.decompress(file.read_bytes()).decode()))
    return outcomes


def built(tf, program, folder):
    """What building gives: `graph`, `spec` and whether `error`; and a function that runs the elements."""
    with tf.Graph().as_default() as graph, warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            first, element, spec = _made(tf, program, folder)
        except Exception as error:  # every kind of error is an outcome
            return {"error": _error_text(error, folder)}, None
        outcome = {"spec": spec, "graph": _lines(graph, folder)}
        own = [_plain(str(w.message), folder) for w in warned if w.category is UserWarning]
        if own:
            outcome["warnings"] = own
        return outcome, lambda: _elements(tf, graph, first, element, folder)


def outcome_of(tf, program, runs=True):
    """What a program builds, and with `runs` also its elements."""
    folder = os.path.realpath(tempfile.mkdtemp())
    try:
        outcome, run = built(tf, program, folder)
        if run is not None and runs:
            outcome["elements"] = run()
        return json.loads(json.dumps(outcome))
    finally:
        shutil.rmtree(folder)


def _made(tf, program, folder):
    """(operation to run first or None, nested tensors of an element, text of its specification)."""
    count = program.__code__.co_argcount
    made = program(tf, folder) if count == 2 else program(tf)
    if isinstance(made, tuple):
        return made[0], made[1], ""
    if hasattr(made, "get_next"):
        iterator = made
    else:
        iterator = tf.compat.v1.data.make_initializable_iterator(made)
    first = getattr(iterator, "_initializer", None)
    return first, iterator.get_next(), repr(iterator.element_spec)


def _elements(tf, graph, first, element, folder):
    texts = []
    with tf.Session(graph=graph) as session:
        try:
            if first is not None:
                session.run(first)
            for _ in range(_MOST):
                texts.append(_value_text(session.run(element)))
        except tf.errors.OpError as error:
            texts.append(_error_text(error, folder))
    return texts


def _value_text(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_value_text(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, (tuple, list)):
        kind = type(value).__name__ if hasattr(value, "_fields") else ""
        return kind + "(" + ", ".join(map(_value_text, value)) + ")"
    array = np.asarray(value)
    name = "str" if array.dtype.kind in "OSU" else array.dtype.name
    return f"{name}{list(array.shape)} {array.tolist()!r}"


def _error_text(error, folder):
    text = getattr(error, "message", None) or str(error)
    if text.startswith("in converted code:"):  # TensorFlow lists the lines of converted functions
        return _plain(text.strip().splitlines()[-1].strip(), folder)
    text = _FUNCTION.sub("", text.split("\nTraceback")[0]).lstrip()
    text = text.split("\n\t [[")[0].split(" [Op:")[0].split("\n\nOriginal stack")[0]
    return _plain(f"{type(error).__name__}: {text.lstrip()}", folder)


def _plain(text, folder):
    text = re.sub(r"\w+\.<locals>\.(?=<lambda>\(\))", "", text)  # Python 3.10 and later name functions in full
    text = re.sub(r"\b(tensorflow|tensorflow_core|tinytf)(\.[a-z_0-9]+)*\.(?=[A-Z_])", "", text)
    return _COUNTED.sub("#", text.replace(folder, "$D"))


def _lines(graph, folder):
    """The graph and its functions as lines, with numbers in functions' names that count the functions of the graph."""
    definition = graph.as_graph_def()
    names = [function.signature.name for function in definition.library.function]
    new = {}
    for i, name in enumerate(sorted(names, key=lambda name: (_kind(name), _number(name)))):
        new[name] = _ENDING.sub("", name) + f"_#{i}"
    for function in definition.library.function:
        function.signature.name = new[function.signature.name]
        _rename(function.node_def, new)
    _rename(definition.node, new)
    for function in definition.library.function:
        _prune(function)
    lines = [*graph_lines(definition), *function_lines(definition.library)]
    return [_plain(line, folder) for line in lines]


def _prune(function):
    """Removes the nodes of a function on which its results do not depend, which not all functions here have."""
    nodes = {node.name: node for node in function.node_def}
    pending, needed = [*function.ret.values(), *function.control_ret.values()], set()
    while pending:
        name = pending.pop().lstrip("^").split(":")[0]
        if name in nodes and name not in needed:
            needed.add(name)
            pending.extend(nodes[name].input)
    kept = [node for node in function.node_def if node.name in needed]
    del function.node_def[:]
    function.node_def.extend(kept)


def _kind(name):
    return _ENDING.sub("", name) if _number(name) < 0 else ""


def _number(name):
    found = _ENDING.search(name)
    return int(found.group(1)) if found and found.group(1).isdigit() else -1


def _rename(nodes, new):
    for node in nodes:
        for attr in node.attr.values():
            if attr.WhichOneof("value") == "func":
                attr.func.name = new.get(attr.func.name, attr.func.name)


def _record(files):
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.FATAL)
    for file in files:
        outcomes = {f"{file.stem}/{name}": outcome_of(tf, program) for name, program in programs_of(file).items()}
        text = json.dumps(outcomes, indent=0, sort_keys=True)
        with _RECORDED.joinpath(f"{file.stem}.json.gz").open("wb") as written:
            with gzip.GzipFile("", "wb", 9, written, mtime=0) as zipped:
                zipped.write(text.encode())


if __name__ == "__main__":
    _record([file for file in FILES if file.stem in sys.argv[1:] or not sys.argv[1:]])
