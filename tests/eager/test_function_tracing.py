"""Calls that trace a function, and calls that reuse an earlier trace."""

import numpy as np
import pytest

import tinytf as tf

pytestmark = pytest.mark.usefixtures("eager")


def counting(**options):
    calls = []

    @tf.function(**options)
    def doubled(x, *rest):
        calls.append(x)
        return x * 2

    return doubled, calls


def test_python_code_runs_once_for_tensors_of_one_kind():
    doubled, calls = counting()
    assert [float(doubled(tf.constant(x))) for x in (1.0, 2.0, 3.0)] == [2.0, 4.0, 6.0]
    assert len(calls) == 1


def test_other_shapes_and_types_are_traced_anew():
    doubled, calls = counting()
    doubled(tf.constant(1.0))
    doubled(tf.constant([1.0]))
    doubled(tf.constant([1.0, 2.0]))
    doubled(tf.constant(1))
    assert len(calls) == 4


def test_python_values_are_told_apart_by_value_and_type():
    doubled, calls = counting()
    assert int(doubled(2)) == 4
    assert int(doubled(2)) == 4
    assert len(calls) == 1
    assert int(doubled(3)) == 6
    assert doubled(3.0).dtype == tf.float32
    assert len(calls) == 3


def test_arrays_are_taken_as_tensors():
    doubled, calls = counting()
    doubled(np.zeros(3, np.float32))
    doubled(np.ones(3, np.float32))
    np.testing.assert_array_equal(doubled(tf.constant([1.0, 2.0, 3.0])), [2.0, 4.0, 6.0])
    assert len(calls) == 1


def test_objects_are_told_apart_by_identity():
    class Plain:
        pass

    first, second = Plain(), Plain()
    doubled, calls = counting()
    x = tf.constant(1.0)
    for other in (first, second, first):
        doubled(x, other)
    assert len(calls) == 2


def test_the_body_builds_a_graph():
    modes = []

    @tf.function
    def f(x):
        modes.append(tf.executing_eagerly() if hasattr(tf, "executing_eagerly") else None)
        assert isinstance(x.op, tf.Operation)
        assert tf.get_default_graph().building_function
        return x

    assert float(f(tf.constant(3.0))) == 3.0


def test_structures_come_in_and_go_out():
    @tf.function
    def f(d, pair=(1, 2)):
        return {"sum": d["a"] + d["b"], "list": [d["a"], None, pair[1]]}

    result = f({"b": tf.constant(2.0), "a": tf.constant(1.0)})
    assert float(result["sum"]) == 3.0
    assert float(result["list"][0]) == 1.0
    assert result["list"][1] is None
    assert int(result["list"][2]) == 2


def test_keywords_and_defaults_share_the_trace_of_positions():
    calls = []

    @tf.function
    def f(x, y=tf.float32, *, k=1):
        calls.append(1)
        return x * k

    x = tf.constant(2.0)
    assert float(f(x)) == float(f(x=x)) == float(f(x, tf.float32, k=1)) == 2.0
    assert len(calls) == 1
    assert float(f(x, k=3)) == 6.0


def test_nothing_is_returned_for_none():
    @tf.function
    def f(x):
        return None

    assert f(tf.constant(1.0)) is None


def test_sizes_that_differ_are_left_open_when_relaxed():
    doubled, calls = counting(experimental_relax_shapes=True)
    for n in range(1, 7):
        assert doubled(tf.zeros([n, 2])).shape == (n, 2)
    assert len(calls) == 2
    assert calls[1].shape.as_list() == [None, 2]


def test_a_concrete_function_of_specs():
    doubled, calls = counting()
    concrete = doubled.get_concrete_function(tf.TensorSpec([None], tf.float32))
    np.testing.assert_array_equal(concrete(tf.constant([1.0, 2.0])), [2.0, 4.0])
    np.testing.assert_array_equal(concrete(tf.constant([1.0])), [2.0])
    assert len(calls) == 1
    assert concrete.inputs[0].shape.as_list() == [None]
    assert concrete.structured_outputs is concrete.outputs[0]
    assert concrete.graph is concrete.outputs[0].graph
    assert concrete.captured_inputs == []
    with pytest.raises(ValueError, match="was expected to be a float32 tensor"):
        concrete(tf.constant([[1.0]]))


def test_unhashable_arguments_are_refused():
    doubled, _ = counting()
    with pytest.raises(TypeError, match="must be hashable"):
        doubled(tf.constant(1.0), {1, 2})


def test_the_python_function_stays_there():
    def plain(x):
        """What it does."""
        return x

    f = tf.function(plain)
    assert f.python_function is plain
    assert f.__doc__ == "What it does."
    assert f.__name__ == "plain"


def test_methods_have_traces_of_their_own():
    class Scale:
        def __init__(self, factor):
            self.factor = factor
            self.calls = 0

        @tf.function
        def apply(self, x):
            self.calls += 1
            return x * self.factor

    two, three = Scale(2.0), Scale(3.0)
    x = tf.constant(1.0)
    assert float(two.apply(x)) == float(two.apply(x)) == 2.0
    assert float(three.apply(x)) == 3.0
    assert float(Scale(4.0).apply(x)) == 4.0
    assert (two.calls, three.calls) == (1, 1)


def test_functions_call_functions():
    @tf.function
    def inner(x):
        return x + 1.0

    @tf.function
    def outer(x):
        return inner(x) * inner(x)

    assert float(outer(tf.constant(2.0))) == 9.0


def test_methods_of_equal_objects():
    class Scale:
        def __init__(self, factor):
            self.factor = factor

        def __eq__(self, other):
            return True

        __hash__ = None

        @tf.function
        def apply(self, x):
            return x * self.factor

    x = tf.constant(1.0)
    objects = [Scale(2.0), Scale(3.0)]
    assert [float(o.apply(x)) for o in objects + objects] == [2.0, 3.0, 2.0, 3.0]
    assert len(vars(Scale)["apply"]._methods) == 2
    objects.clear()
    assert len(vars(Scale)["apply"]._methods) == 0


def test_methods_know_their_object_and_function():
    class Scale:
        @tf.function
        def apply(self, x):
            return x

    scale = Scale()
    assert scale.apply.__self__ is scale
    assert scale.apply.__name__ == "apply"
    assert float(scale.apply.get_concrete_function(tf.TensorSpec([], tf.float32))(tf.constant(1.0))) == 1.0
