"""Random calls of public functions: recorded valid arguments of which some are replaced, passed in another way, or
joined by optional ones. `test_random_calls.py` compares their effects on a graph with TensorFlow 1.15.5, where
`python random_calls.py` in this folder records the outcomes of the first seeds.
"""

import functools
import gzip
import json
import random
import re
from pathlib import Path

import call_digests
import calls

RECORDED = "random_calls_of_1_15.json.gz"
COUNT = 3000
# Values for optional parameters by the start of their default's text in 1.15's signatures.
_BY_DEFAULT = [
    (r"True|False", ["True", "False"]),
    (r"<dtype: 'string'", ["tf.string"]),
    (r"<dtype|float32|int64$", ["tf.float32", "tf.int32", "tf.float64", "tf.int64", "tf.half", "'int64'"]),
    (r"-?\d+$", ["0", "1", "2", "-1", "np.int64(1)"]),
    (r"-?\d*[.e]\d", ["0.", ".5", "1", "2."]),
]
# Values by the names of parameters whose defaults say nothing.
_BY_NAME = {
    "name": ["'given'"] * 6 + ["'a/b'", "b'a'", "''", "None"],
    "batch_size": ["2", "1", "tf.constant(2)"],
    "scope": ["'given'", "'a/b'", "''", "None"],
    "weights": ["1.", "2", "[1., 0.]", "[[1.], [2.]]", "tf.constant([1, 0])"],
    "metrics_collections": ["['m']", "'m'", "None"],
    "updates_collections": ["['u']", "None"],
    "collections": ["['c']", "['c', 'd']", "None"],
    "loss_collection": ["'c'", "None"],
    "axis": ["0", "1", "-1", "[0]", "[0, 1]", "None", "tf.constant(0)"],
    "axes": ["0", "[0]", "[-1]", "1"],
    "reduction_indices": ["0", "[0]", "-1", "None"],
    "keepdims": ["True", "False", "None"],
    "keep_dims": ["True", "False", "None"],
    "shape": ["[2]", "[]", "[2, 2]", "[None]", "None", "tf.TensorShape([2])", "tf.constant([2])"],
    "shapes": ["[[2]]", "[[]]", "None"],
    "dtype": ["tf.float32", "tf.int32", "'float64'", "tf.int64", "np.float32", "None"],
    "data_format": ["'NHWC'", "'NCHW'", "'channels_first'", "'channels_last'", "None"],
    "padding": ["'SAME'", "'VALID'", "'same'", "'valid'"],
    "message": ["'m'", "None"],
    "summarize": ["2", "None"],
    "shared_name": ["'s'", "''", "None"],
    "family": ["'f'", "None"],
    "seed": ["1", "0", "None", "2 ** 33"],
    "initializer": ["tf.ones_initializer()", "tf.zeros_initializer", "None"],
    "regularizer": ["lambda v: tf.reduce_sum(v)", "None"],
    "partitioner": ["tf.fixed_size_partitioner(2)", "None"],
    "constraint": ["lambda v: v", "None"],
    "caching_device": ["'/cpu:0'", "None"],
    "device": ["'/cpu:0'", "None"],
    "activation": ["tf.nn.relu", "None"],
    "graph": ["tf.get_default_graph()", "None"],
    "num_epochs": ["2", "None"],
    "reduction": ["'none'", "'weighted_sum'", "'weighted_mean'", "'a'"],
    "fft_length": ["[4]", "[4, 4]", "None"],
    "dilations": ["1", "2", "[1, 1, 1, 1]", "[1, 2, 2, 1]", "[1, 1, 1, 1, 1]"],
    "strides": ["1", "2", "[1, 1, 1, 1]", "[1, 2, 2, 1]", "[1, 1, 1, 1, 1]"],
    "synchronization": ["tf.VariableSynchronization.ON_READ", "tf.VariableSynchronization.NONE"],
    "aggregation": ["tf.VariableAggregation.SUM", "tf.VariableAggregation.MEAN"],
    "element_shape": ["[2]", "[]", "None"],
    "sequence_length": ["[1, 2]", "[2]", "tf.constant([1])"],
    "default_value": ["0.", "0", "1.", "'a'"],
    "perm": ["[1, 0]", "[0]", "None"],
    "default_name": ["'given'", "None"],
    "num_classes": ["3", "None"],
    "curve": ["'PR'", "'ROC'"],
    "summation_method": ["'minoring'", "'careful_interpolation'"],
    "encoding": ["'utf-8'", "''"],
    "unit": ["'UTF8_CHAR'", "'BYTE'"],
    "direction": ["'DESCENDING'", "'ASCENDING'"],
    "mode": ["'REFLECT'", "'symmetric'"],
    "sep": ["'b'", "''", "None"],
    "default": ["lambda: tf.constant(1.)", "None"],
    "control_inputs": ["[tf.constant(1.)]", "None"],
    "device_name": ["'/cpu:0'"],
    "var_list": ["[tf.Variable(1.)]", "[]", "None"],
}
_ANY = [
    "None",
    "2",
    "-1",
    "[2]",
    "[]",
    "[[1., 2.]]",
    "False",
    "1e-3",
    "tf.float64",
    "tf.int64",
    "'given'",
    "b'a'",
    "()",
]
# Other arguments of the same kind.
_KIN = [
    ["[1., 2.]", "[1, 2]", "[[1., 2.]]", "1.", "np.ones([2], np.float64)", "tf.placeholder(tf.float32)", "[1., 2., 3.]",
     "tf.placeholder(tf.float32, [None])", "tf.Variable([1., 2.])", "[]", "np.ones([0, 2], np.float32)"],
    ["[1, 0]", "[0]", "[[1, 0]]", "1", "np.array([1, 0])", "tf.placeholder(tf.int32)", "[]", "tf.constant([1], tf.int64)",
     "tf.placeholder(tf.int64, [None])"],
    ["[[1., 2.], [3., 4.]]", "[1., 2.]", "np.ones([2, 3], np.float32)", "tf.placeholder(tf.float32, [None, 2])",
     "np.ones([2, 2, 2])", "[[1, 2], [3, 4]]", "tf.placeholder(tf.float32)", "[[1., 2.]]"],
    ["np.ones([1, 4, 4, 3], np.float32)", "np.ones([2, 6, 4, 3])", "tf.placeholder(tf.float32, [None, None, None, 3])",
     "tf.placeholder(tf.float32)", "np.ones([4, 4, 3], np.float32)", "np.ones([1, 3, 4, 4], np.uint8)"],
    ["'a'", "['a', 'b']", "[['a']]", "tf.placeholder(tf.string)", "b'a'", "'\\xe9'", "np.array(['a', 'b'])"],
    ["1", "2", "3", "0", "tf.constant(1)", "-1"],
    ["tf.float32", "tf.float64", "tf.int32", "'int64'", "tf.string", "tf.bool", "tf.complex64"],
    ["tf.SparseTensor([[0, 0]], [1.], [2, 2])", "tf.SparseTensor([[0, 1], [1, 0]], [1, 2], [2, 2])",
     "tf.sparse.placeholder(tf.float32)", "tf.sparse.placeholder(tf.float32, [2, 3])",
     "tf.SparseTensor([[0]], ['a'], [2])"],
]  # fmt: skip
# These decide which of two programs runs, not what one call adds.
_LEFT_OUT = {"func", "reuse"}
# What arrays mean as names is incidental in 1.15.5, and some sizes of batches end its process.
_ALWAYS_FITTING = {"name", "scope", "batch_size"}


@functools.lru_cache(None)
def _defaults():
    """The texts of defaults by (function, parameter), from the lists of 1.15's names."""
    found = {}
    folder = Path(__file__).resolve().parents[1] / "framework"
    for line in "\n".join((folder / f"{kind}names_of_1_15.txt").read_text() for kind in ("", "contrib_")).split("\n"):
        name, _, rest = line.partition(" function(")
        for part in re.split(r", (?=\w+(?:=|,|$|\)))", rest.rstrip(")")):
            parameter, equals, default = part.partition("=")
            if equals:
                found[name, parameter] = default
    return found


def _anything(rng, parameter):
    known = calls.BY_NAME.get(parameter, []) + _BY_NAME.get(parameter, [])
    if parameter in _ALWAYS_FITTING:
        return rng.choice(known)
    return rng.choice(known if known and rng.random() < 0.5 else calls.CANDIDATES + _ANY)


def _fitting(rng, name, parameter):
    """A value of the type that the optional parameter has."""
    default = _defaults().get((name, parameter), "None")
    for pattern, values in _BY_DEFAULT:
        if re.match(pattern, default) and parameter not in ("axis", "dtype"):
            return rng.choice(values)
    known = _BY_NAME.get(parameter, calls.BY_NAME.get(parameter))
    if known:
        return rng.choice(known)
    return "None" if default == "None" else repr(default)


def _kin(rng, expression):
    fitting = [values for values in _KIN if expression in values]
    return rng.choice(rng.choice(fitting)) if fitting else expression


_FORMS = [
    *calls.WAYS.values(),
    "tf.placeholder_with_default(%s, None)",
    "tf.placeholder_with_default(%s, [None] * np.ndim(%s))",
    "tf.cast(%s, tf.float64)",
    "tf.cast(%s, tf.int64)",
    "tf.cast(%s, tf.half)",
    "tf.cast(%s, tf.uint8)",
    "tf.cast(%s, tf.bool)",
    "tf.cast(%s, tf.complex64)",
    "tf.expand_dims(%s, 0)",
]


def _passed(rng, expression):
    """The same value in another form: an array, a constant, a message, a variable, a tuple, of another dtype, or of a
    shape that is not known statically.
    """
    form = rng.choice([form for form in _FORMS if "tuple" not in form or expression[0] == "["])
    return form.replace("%s", expression)


def _is_plain(expression):
    return expression[0] in "[-1234567890'Tn" and "tf." not in expression


def _change(rng, name, chosen, optional):
    """Makes one random change of the chosen arguments."""
    kind = rng.random()
    plain = [p for p, expression in chosen.items() if _is_plain(expression) and p not in _ALWAYS_FITTING]
    if kind < 0.5 and optional:
        parameter = rng.choice(optional)
        chosen[parameter] = _fitting(rng, name, parameter)
    elif kind < 0.65 and plain:
        parameter = rng.choice(plain)
        chosen[parameter] = _passed(rng, chosen[parameter])
    elif chosen:
        parameter = rng.choice(sorted(chosen))
        is_wild = kind > 0.9 or parameter in _ALWAYS_FITTING
        chosen[parameter] = _anything(rng, parameter) if is_wild else _kin(rng, chosen[parameter])


def _by_position(rng, chosen, parameters):
    """The arguments passed by position: some of those without a gap in 1.15's order."""
    count = 0
    while count < len(parameters) and parameters[count] in chosen:
        count += 1
    return parameters[: rng.randrange(count + 1)] if count and rng.random() < 0.5 else []


def random_call(table, seed):
    """A call as (name, arguments by keyword, arguments by position): a call of the table with one to three random
    changes.
    """
    rng = random.Random(seed)
    # Of three, the function with the most parameters: there is more to vary.
    name = max(rng.choices(sorted(table), k=3), key=lambda name: len(table[name][1]))
    arguments, parameters, _ = table[name]
    chosen = dict(map(tuple, arguments))
    optional = [p for p in parameters if p not in chosen and p not in _LEFT_OUT]
    optional = [p for p in optional if p != "name" or len(optional) < 3 or rng.random() < 0.3]
    for _ in range(rng.randrange(1, 4)):
        _change(rng, name, chosen, optional)
    first = _by_position(rng, chosen, parameters)
    return name, [(p, e) for p, e in chosen.items() if p not in first], [(p, chosen[p]) for p in first]


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.FATAL)
    with gzip.open(calls.TABLE) as file:
        table = json.loads(file.read().decode())
    chosen = [random_call(table, seed) for seed in range(COUNT)]
    kinds = {"described": call_digests.digest, "failed": call_digests.error}
    recorded = [[*call, call_digests.checks(calls.outcome(tf, *call, **kinds))] for call in chosen]
    with gzip.GzipFile(RECORDED, "wb", mtime=0) as file:
        file.write(json.dumps(recorded, indent=0).encode())


if __name__ == "__main__":
    main()
