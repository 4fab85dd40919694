"""Gradient functions of `tf.contrib.eager`."""

import numpy as np
import pytest
from programs import run_program

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


def test_names_of_tensorflow_lead_here():
    from tinytf.contrib.eager.python import tfe as by_path

    assert all(getattr(by_path, name) is getattr(tfe, name) for name in tfe.__all__)
    assert tfe.py_func is tf.py_function
    assert tfe.enable_eager_execution is tf.enable_eager_execution
    assert tfe.TensorSpec is tf.TensorSpec
    assert (tfe.SYNC, tfe.ASYNC) == (0, 1)
    assert (tfe.DEVICE_PLACEMENT_EXPLICIT, tfe.DEVICE_PLACEMENT_WARN, tfe.DEVICE_PLACEMENT_SILENT) == (0, 1, 2)
    assert all(hasattr(tfe, name) for name in tfe.__all__)


def test_python_functions_with_tensors():
    assert tfe.py_func(lambda x: x * 2.0, [tf.constant(3.0)], tf.float32).numpy() == 6.0


def test_an_optimizers_variables():
    w = tf.Variable(1.0)
    optimizer = tf.train.AdamOptimizer(0.1)
    optimizer.minimize(lambda: w * w)
    assert len(tfe.get_optimizer_variables(optimizer)) == len(optimizer.variables()) == 4


@pytest.mark.parametrize("traced", [False, True])
def test_templates(traced):
    calls = []

    def scaled(x, factor):
        calls.append(x)
        return x * tf.get_variable("w", [], initializer=tf.constant_initializer(2.0)) * factor

    template = tfe.make_template("scaled", scaled, create_graph_function_=traced, factor=10.0)
    assert [template(tf.constant(x)).numpy() for x in (1.0, 2.0, 3.0)] == [20.0, 40.0, 60.0]
    assert len(calls) == (1 if traced else 3)


def test_variables_of_a_store():
    store = tfe.EagerVariableStore()
    for _ in range(2):
        with store.as_default():
            v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
            v.assign_add(1.0)
    assert [w.numpy() for w in store.variables()] == [2.0]


def test_programs_run_with_eager_execution():
    program = (
        "import tinytf as tf, tinytf.contrib.eager as tfe\n"
        "def main(argv):\n  print(tf.executing_eagerly(), argv[1:])\n  return 3\n"
        "tfe.run()"
    )
    done = run_program(program, "a")
    assert (done.returncode, done.stderr, done.stdout) == (3, "", "True ['a']\n")
