"""Traced functions with an input signature."""

import inspect

import numpy as np
import pytest

import tinytf as tf

pytestmark = pytest.mark.usefixtures("eager")


def vector_function():
    calls = []

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def total(x):
        calls.append(x.shape.as_list())
        return tf.reduce_sum(x)

    return total, calls


def test_one_trace_serves_all_that_fit():
    total, calls = vector_function()
    assert float(total(tf.constant([1.0, 2.0]))) == 3.0
    assert float(total([1.0, 2.0, 3.0])) == 6.0
    assert float(total(np.ones(4, np.float32))) == 4.0
    assert calls == [[None]]


def test_tensors_that_do_not_fit_are_refused():
    total, _ = vector_function()
    with pytest.raises(ValueError, match="Python inputs incompatible with input_signature:"):
        total(tf.constant(1.0))
    with pytest.raises(ValueError, match="Python inputs incompatible with input_signature:"):
        total(tf.constant([1]))


def test_another_structure_is_refused():
    @tf.function(input_signature=[(tf.TensorSpec([], tf.float32), tf.TensorSpec([], tf.float32))])
    def f(pair):
        return pair[0] + pair[1]

    assert float(f((tf.constant(1.0), tf.constant(2.0)))) == 3.0
    with pytest.raises(ValueError, match=r"Structure of Python function inputs does not match input_signature\."):
        f((tf.constant(1.0),))


def test_what_is_no_tensor_is_refused():
    total, _ = vector_function()
    with pytest.raises(ValueError, match="must be convertible to tensors"):
        total(object())


def test_signatures_must_be_sequences_of_specs():
    with pytest.raises(TypeError, match="input_signature must be either a tuple or a list, received"):
        tf.function(lambda x: x, input_signature=tf.TensorSpec([], tf.float32))
    with pytest.raises(TypeError, match="must be a possibly nested sequence of TensorSpec objects"):
        tf.function(lambda x: x, input_signature=[tf.float32])


def test_the_concrete_function_needs_no_arguments():
    total, _ = vector_function()
    assert total.get_concrete_function() is total.get_concrete_function()
    assert float(total.get_concrete_function()(tf.constant([5.0]))) == 5.0


def test_positional_arguments_are_those_of_tensorflow_1_15():
    names = list(inspect.signature(tf.function).parameters)
    assert names[:3] == ["func", "input_signature", "autograph"]
    assert names[3:6] == ["experimental_autograph_options", "experimental_relax_shapes", "experimental_compile"]
