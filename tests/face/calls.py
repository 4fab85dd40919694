"""Calls public functions with arguments found by a search and records the operations they add to a graph.

Runs on TensorFlow 1.15.5, where `python calls.py` in this folder writes `calls_of_1_15.json.gz`, and on tinytf, where
`test_public_calls.py` compares with that file. For each public function it holds valid arguments (as expressions) and,
for each way to pass them, the added operations or the error. `given_arguments.txt` lists arguments that the search does
not find.
"""

import functools
import gzip
import itertools
import json
import os
import sys

import numpy as np

TABLE = "calls_of_1_15.json.gz"
SKIPPED = {  # these end processes, block, or change the results of later calls
    "tf.app.run",
    "tf.register_tensor_conversion_function",
    "tf.reset_default_graph",
    "tf.test.main",
    "tf.train.basic_train_loop",
    "tf.train.sdca_fprint",
}
SKIPPED_SPACES = ("tf.gfile", "tf.io.gfile", "tf.logging", "tf.flags", "tf.app", "tf.compat", "tf.estimator", "tf.data",
                  "tf.keras", "tf.lite", "tf.distribute", "tf.saved_model", "tf.profiler", "tf.tpu", "tf.test",
                  "tf.autograph", "tf.config", "tf.summary", "tf.python_io", "tf.resource_loader", "tf.sysconfig",
                  "tf.graph_util", "tf.nest", "tf.errors", "tf.load_", "tf.train.", "tf.enable_", "tf.disable_",
                  "tf.NoGradient", "tf.NotDifferentiable", "tf.no_gradient", "tf.debugging.set_", "tf.colocate_with",
                  "tf.device", "tf.contrib.")  # fmt: skip

FLOATS, MATRIX, INTS = "[1., 2.]", "[[1., 2.], [3., 4.]]", "[1, 0]"
CANDIDATES = [
    FLOATS,
    MATRIX,
    INTS,
    "1",
    "1.",
    "[[1, 0], [0, 1]]",
    "[True, False]",
    "True",
    "'a'",
    "['a', 'b']",
    "np.ones([1, 4, 4, 3], np.float32)",
    "np.ones([2, 2, 3], np.float32)",
    "np.ones([1, 4, 4, 4, 3], np.float32)",
    "[tf.constant([1., 2.]), tf.constant([3., 4.])]",
    "[1, 1, 1, 1]",
    "tf.float32",
    "tf.int32",
    "tf.complex(1., 2.)",
    "tf.SparseTensor([[0, 0]], [1.], [2, 2])",
    "tf.Variable([1., 2.])",
    "lambda *a: tf.constant(1.)",
    "lambda x: x",
    "0",
]
BY_NAME = {
    "dtype": ["tf.float32", "tf.int32"],
    "Tout": ["tf.float32"],
    "out_type": ["tf.int32"],
    "shape": ["[2]", "[2, 2]", "[1, 2]"],
    "axis": ["0", "[0]"],
    "dim": ["0"],
    "name": ["'given'"],
    "padding": ["'SAME'"],
    "strides": ["[1, 1, 1, 1]", "1"],
    "ksize": ["[1, 2, 2, 1]", "2"],
    "pool_size": ["2"],
    "filter": ["np.ones([2, 2, 3, 2], np.float32)"],
    "filters": ["np.ones([2, 2, 3, 2], np.float32)", "2"],
    "sp_input": ["tf.SparseTensor([[0, 0]], [1.], [2, 2])"],
    "a": [MATRIX, FLOATS],
    "b": [MATRIX, FLOATS],
    "paddings": ["[[1, 1], [1, 1]]", "[[1, 1]]"],
    "fn": ["lambda x: x"],
    "true_fn": ["lambda: tf.constant(1.)"],
    "labels": [INTS, FLOATS, MATRIX],
    "logits": [MATRIX, FLOATS],
    "seed": ["[1, 2]", "1"],
    "num_or_size_splits": ["2"],
    "depth": ["2"],
}
TRIES = 500
NAMES = {"none": None, "empty": "", "given": "given", "slash": "given/"}
WAYS = {
    "array": "np.array(%s)",
    "constant": "tf.constant(%s)",
    "message": "tf.make_tensor_proto(%s)",
    "variable": "tf.Variable(%s)",
    "resource": "tf.Variable(%s, use_resource=True)",
    "tuple": "tuple(%s)",
    "keyword": "%s",
}


def find(tf, name):
    return functools.reduce(getattr, name.split(".")[1:], tf)


def is_there(tf, name):
    try:
        find(tf, name)
    except AttributeError:
        return False
    return True


def added(tf, graph, count, value):
    """The operations of a graph that had `count` before."""
    return " ".join("%s:%s" % (op.name, op.type) for op in graph.get_operations()[count:])


def error_class(error):
    return type(error).__name__


def outcome(tf, name, arguments, positional=(), more=None, described=added, failed=error_class):
    """The operations that a call adds, or its error."""
    graph = tf.Graph()
    names = {"tf": tf, "np": np}
    with graph.as_default():
        tf.set_random_seed(1)
        try:
            given = [eval(expression, names) for _, expression in positional]
            keywords = {key: eval(expression, names) for key, expression in arguments}
            before = len(graph.get_operations())
            keywords.update(more or {})
            value = find(tf, name)(*given, **keywords)
        except Exception as error:
            return failed(error)
        return described(tf, graph, before, value)


def given_arguments():
    """Arguments by function, as (name, expression) pairs."""
    found = {}
    for line in open("given_arguments.txt").read().splitlines():
        if not line.startswith("#"):
            name, _, rest = line.partition(":")
            found[name] = [tuple(part.strip().split("=", 1)) for part in rest.split(";") if part.strip()]
    return found


def functions(tf, given):
    """Public functions, each under its first name, and the functions with given arguments."""
    seen = set()
    for line in itertools.chain(
        *map(open, ["../framework/names_of_1_15.txt", "../framework/contrib_names_of_1_15.txt"])
    ):
        name, kind = line.split("(")[0].split()[:2]
        is_skipped = kind != "function" or name in SKIPPED or name.startswith(SKIPPED_SPACES)
        if is_skipped and name not in given:
            continue
        try:
            function = find(tf, name)
        except AttributeError:
            continue
        if function not in seen or name in given:
            seen.add(function)
            yield name, function


def required(function):
    from tensorflow.python.util import tf_inspect

    spec = tf_inspect.getfullargspec(function)
    count = len(spec.args) - len(spec.defaults or ())
    return spec.args[:count], spec.args


def search(tf, name, parameters):
    """Arguments that the function accepts, as (name, expression) pairs; None if none are found."""
    choices = [BY_NAME.get(p, []) + [c for c in CANDIDATES if c not in BY_NAME.get(p, [])] for p in parameters]
    # Combinations close to the first candidates come first.
    order = sorted(itertools.islice(itertools.product(*(range(len(c)) for c in choices)), 20000), key=sum)
    for indices in order[:TRIES]:
        arguments = [(p, c[i]) for p, c, i in zip(parameters, choices, indices)]
        if outcome_is_good(outcome(tf, name, arguments)):
            return arguments
    return None


def outcome_is_good(found):
    return not found.endswith(("Error", "Exception", "Warning")) or ":" in found


def ways(tf, name, arguments, parameters):
    """The operations added for each way to pass the arguments."""
    found = {"plain": outcome(tf, name, arguments), "positional": outcome(tf, name, (), arguments)}
    if "name" in parameters:
        for way, value in NAMES.items():
            found["name " + way] = outcome(tf, name, [a for a in arguments if a[0] != "name"], more={"name": value})
    for i, (parameter, expression) in enumerate(arguments):
        if expression[0] not in "[-1234567890'T" or parameter in ("name", "dtype") or "tf." in expression:
            continue
        for way, form in WAYS.items():
            if way in ("tuple",) and expression[0] != "[":
                continue
            changed = list(arguments)
            changed[i] = parameter, form % expression
            if way != "keyword":
                found["%s as %s" % (parameter, way)] = outcome(tf, name, changed)
    return found


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.FATAL)
    table, known, given = {}, {}, given_arguments()
    if os.path.exists(TABLE):  # delete the file to search again
        with gzip.open(TABLE) as file:
            known = json.loads(file.read().decode())
    for name, function in functions(tf, given):
        try:
            needed, parameters = required(function)
        except TypeError:
            continue
        if name in given:
            arguments = given[name]
        else:
            arguments = known[name][0] if name in known else search(tf, name, needed)
        sys.stderr.write("%s %s\n" % (name, arguments))
        if arguments is not None:
            table[name] = [arguments, parameters, ways(tf, name, arguments, parameters)]
    with gzip.GzipFile(TABLE, "wb", mtime=0) as file:
        file.write(json.dumps(table, sort_keys=True, indent=0).encode())


if __name__ == "__main__":
    main()
