"""Hand-written functions return bitwise the same in eager execution as their nodes in a session."""

import inspect
import types

import numpy as np
import pytest
import wrapper_calls

import tinytf as tf

_GROUPS = ("ARRAYS", "MATH", "NN", "LOSSES", "RANDOM", "CHECKS")
_CALLS = [(f"{group}-{number}", call) for group in _GROUPS for number, call in enumerate(getattr(wrapper_calls, group))]

# Modules of functions that create state or text; other tests cover them.
_ELSEWHERE = frozenset(
    "data_flow_ops tensor_array_ops logging_ops printing queue_base scatter_updates script_ops session_ops state_ops template "
    "variable_collections variable_creation variable_modes variable_scope variables scope_defaults partitioners "
    "regularization arguments accumulators table_initializers".split()
)

# Packages of functions whose results other tests compare with TensorFlow's.
_COMPARED = frozenset(("logging", "parsing", "sparse", "string"))

_GRAPH_ONLY = frozenset(("placeholder", "sparse_placeholder", "get_losses", "get_total_loss", "add_check_numerics_ops"))


def _flat(value):
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in _flat(item)]
    return [value]


def _portrait(value):
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        return array.dtype, array.shape, array.tolist() if array.dtype == object else array.tobytes()
    return value.encode() if isinstance(value, str) else value


@pytest.mark.parametrize("call", [pytest.param(call, id=name) for name, call in _CALLS])
def test_same_bits(call, eager):
    with tf.Graph().as_default(), tf.Session() as sess:
        made = _flat(call(wrapper_calls.Values()))
        expected = [sess.run(item) if isinstance(item, (tf.Tensor, tf.Operation)) else item for item in made]
    tf.set_random_seed(None)  # restarts random sequences, as in a new session
    results = _flat(call(wrapper_calls.Values()))
    assert len(results) == len(made)
    for node, wanted, result in zip(made, expected, results, strict=True):
        if isinstance(node, tf.Tensor):
            assert result.dtype == node.dtype and node.shape.is_compatible_with(result.shape)
            result = result.numpy()
        assert _portrait(result) == _portrait(wanted)


def _names_in(code):
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names_in(constant)


def test_every_function_is_called():
    """Each function is called by at least one of its public names."""
    called = {name for _, call in _CALLS for name in _names_in(call.__code__)}
    called_objects = set()
    public = {}
    spaces = tf, tf.math, tf.nn, tf.random, tf.linalg, tf.losses, tf.debugging, tf.initializers, tf.strings, tf.dtypes
    for space in spaces:
        for name in dir(space):
            value = getattr(space, name)
            if name.startswith("_") or name in _GRAPH_ONLY:
                continue
            module = getattr(value, "__module__", None) or ""
            path = module.split(".")
            if path[:2] != ["tinytf", "ops"] or path[-1] in _ELSEWHERE or path[2] in _COMPARED:
                continue
            if inspect.isfunction(value) or inspect.isclass(value):
                public[id(value)] = f"{module}.{name}"
                if name in called:
                    called_objects.add(id(value))
    missing = sorted(name for key, name in public.items() if key not in called_objects)
    assert not missing, " ".join(missing)
