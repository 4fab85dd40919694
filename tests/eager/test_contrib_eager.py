"""`tf.contrib.eager`: gradients of Python functions."""

import numpy as np
import pytest

import tinytf as tf
import tinytf.contrib.eager as tfe

pytestmark = pytest.mark.usefixtures("eager")


def _product(x, y):
    return x * x * y


def test_gradients_by_all_arguments():
    assert [g.numpy() for g in tfe.gradients_function(_product)(3.0, 5.0)] == [30.0, 9.0]


@pytest.mark.parametrize("params", [["y"], [1]])
def test_gradients_by_some_arguments(params):
    assert [g.numpy() for g in tfe.gradients_function(_product, params)(3.0, 5.0)] == [9.0]


def test_one_tensor_for_both_arguments():
    x = tf.constant(3.0)
    assert [g.numpy() for g in tfe.gradients_function(_product)(x, x)] == [18.0, 9.0]


def test_values_and_gradients():
    value, gradients = tfe.value_and_gradients_function(_product)(3.0, 5.0, dy=2.0)
    assert value.numpy() == 45.0
    assert [g.numpy() for g in gradients] == [60.0, 18.0]


def test_parameters_are_names_or_positions():
    with pytest.raises(ValueError, match="params must be all strings or all integers; got"):
        tfe.gradients_function(_product, [0, "y"])(3.0, 5.0)


def test_other_keywords_are_refused():
    with pytest.raises(ValueError, match="^Functions to be differentiated cannot receive keyword arguments.$"):
        tfe.gradients_function(_product)(3.0, y=5.0)


def test_functions_must_return_something():
    def forgetful(x):
        x * x

    with pytest.raises(
        ValueError, match="Cannot differentiate a function that returns None; did you forget to return a "
    ):
        tfe.gradients_function(forgetful)(3.0)


def test_gradients_of_gradients():
    third = tfe.gradients_function(lambda x: tfe.gradients_function(lambda x: x * x * x)(x)[0])
    assert third(4.0)[0].numpy() == 24.0


def test_vector_products_can_be_asked_for_again():
    value, vjp = tfe.make_vjp(_product)(3.0, 5.0)
    assert value.numpy() == 45.0
    np.testing.assert_array_equal([g.numpy() for g in vjp()], [30.0, 9.0])
    np.testing.assert_array_equal([g.numpy() for g in vjp(dy=tf.constant(10.0))], [300.0, 90.0])


def test_functions_without_variables():
    with pytest.raises(
        ValueError, match="^No trainable variables were accessed while the function was being computed.$"
    ):
        tfe.implicit_gradients(lambda x: x * x)(3.0)


def test_it_is_an_attribute_too():
    assert tf.contrib.eager.GradientTape is tf.GradientTape
    assert tfe.num_gpus() == 0
    assert tfe.executing_eagerly()
    assert tfe.in_eager_mode() and not tfe.in_graph_mode()
