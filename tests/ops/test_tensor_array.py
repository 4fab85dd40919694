"""`tf.TensorArray` methods give the properties, values and errors of TensorFlow 1.15.5; gradients pass through
arrays.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from tensor_array_expressions import EAGER, GRAPH, outcome

import tinytf as tf
from tinytf._src.framework.context.execution import eager_mode
from tinytf._src.ops.data_flow.tensor_array_ops import build_ta_with_new_flow

# Outcomes of TensorFlow 1.15.5, printed by tensor_array_expressions.py.
OF_1_15 = json.loads(Path(__file__).with_name("tensor_array_values_of_1_15.json").read_text())


@pytest.fixture
def eager():
    with eager_mode(), tf.EagerSession():
        yield


@pytest.mark.parametrize("expression", GRAPH)
def test_in_graphs(expression):
    assert outcome(tf, expression) == OF_1_15["graph"][expression]


@pytest.mark.parametrize("expression", EAGER)
def test_in_eager_execution(expression, eager):
    assert outcome(tf, expression) == OF_1_15["eager"][expression]


def test_no_expression_is_left_out():
    assert list(OF_1_15["graph"]) == list(dict.fromkeys(GRAPH))
    assert list(OF_1_15["eager"]) == list(dict.fromkeys(EAGER))


@pytest.mark.oracle
def test_the_table_is_1_15s(oracle1):
    module = Path(__file__).with_name("tensor_array_expressions.py").read_text()
    assert oracle1(f"__name__ = 'expressions'\n{module}\nresult = table_of_1_15(tf)") == OF_1_15


def test_eager_elements_are_read_once(eager):
    for clears in (True, None):
        array = tf.TensorArray(tf.float32, 2, clear_after_read=clears).write(0, 1.0)
        array.read(0)
        with pytest.raises(tf.errors.InvalidArgumentError, match="twice because it was cleared"):
            array.read(0)
        assert array.write(0, 5.0).read(0).numpy() == 5
    kept = tf.TensorArray(tf.float32, 2, clear_after_read=False).write(0, 1.0)
    assert kept.read(0).numpy() == kept.read(0).numpy() == 1


def test_eager_arrays_change(eager):
    array = tf.TensorArray(tf.float32, 2)
    assert array.write(0, 1.0) is array
    assert array.identity() is array
    assert build_ta_with_new_flow(array, None) is array
    array.unstack([3.0, 4.0])
    assert array.stack().numpy().tolist() == [3, 4]
    array.close()
    assert array.size().numpy() == 0


def test_eager_gradients(eager):
    x = tf.constant([1.0, 2.0])
    uses = {
        "read": lambda a: a.unstack(x).read(0) * 3.0,
        "stack": lambda a: a.write(0, x[0]).write(1, x[1] * 2.0).stack(),
        "concat": lambda a: a.split(x, [1, 1]).concat() ** 2,
    }
    found = {}
    for name, use in uses.items():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = use(tf.TensorArray(tf.float32, 2))
        found[name] = tape.gradient(y, x).numpy().tolist()
    assert found == {"read": [3, 0], "stack": [1, 2], "concat": [2, 4]}


def test_a_new_flow_is_of_the_same_array():
    array = tf.TensorArray(tf.float32, 2, True, element_shape=[2])
    flow = tf.constant(5.0)
    other = build_ta_with_new_flow(array, flow)
    assert other.flow is flow
    assert other.handle is array.handle
    assert (other.dtype, other.dynamic_size, other.element_shape) == (tf.float32, True, [2])
    other.write(0, [1.0, 2.0])
    with pytest.raises(ValueError, match="flow must not be None if handle is not None."):
        build_ta_with_new_flow(array, None)


@pytest.mark.parametrize(("name", "known"), [("mine", "mine"), (None, "outer/inner")])
def test_the_name_is_in_messages(name, known):
    with tf.name_scope("outer"):
        array = tf.TensorArray(tf.float32, 2, tensor_array_name=name, name="inner").write(7, 1.0)
    with (
        tf.Session() as session,
        pytest.raises(tf.errors.InvalidArgumentError, match=rf"TensorArray {known}_\d+: Tried"),
    ):
        session.run(array.flow)


def _elements(x):
    array = tf.TensorArray(tf.float64, 3, clear_after_read=False)
    for i in range(3):
        array = array.write(i, x[i])
    return array


# Functions of x, of shape [3, 2], that use arrays.
USES = {
    "read": lambda x: _elements(x).read(1) * _elements(x).read(1),
    "read_again": lambda x: (lambda a: a.read(1) * a.read(1) * a.read(0))(_elements(x)),
    "stack": lambda x: _elements(x).stack() ** 3,
    "gather": lambda x: _elements(x).gather([2, 0]) ** 3,
    "gather_again": lambda x: _elements(x).gather([2, 2, 0]) ** 3,
    "concat": lambda x: _elements(x).concat() ** 2,
    "unstack": lambda x: tf.TensorArray(tf.float64, 3).unstack(x**2).read(1),
    "scatter": lambda x: tf.TensorArray(tf.float64, 3).scatter([2, 0, 1], x**2).stack() * [[1.0], [2.0], [3.0]],
    "split": lambda x: tf.TensorArray(tf.float64, 2, infer_shape=False).split(x**2, [1, 2]).read(1),
    "split_and_concat": lambda x: tf.TensorArray(tf.float64, 2, infer_shape=False).split(x, [2, 1]).concat() ** 3,
    "grows": lambda x: tf.TensorArray(tf.float64, 0, dynamic_size=True).unstack(x).stack() ** 2,
    "none_read": lambda x: tf.TensorArray(tf.float64, 3).unstack(x).read(0),
}


@pytest.mark.parametrize("name", USES)
def test_gradients_are_the_numeric_ones(name):
    value = np.random.RandomState(0).uniform(0.5, 2.0, [3, 2])
    x = tf.placeholder(tf.float64, [3, 2])
    y = tf.reduce_sum(USES[name](x))
    gradient = tf.gradients(y, x)[0]
    numeric = np.zeros_like(value)
    with tf.Session() as session:
        for place in np.ndindex(3, 2):
            step = np.zeros_like(value)
            step[place] = 1e-6
            numeric[place] = (session.run(y, {x: value + step}) - session.run(y, {x: value - step})) / 2e-6
        np.testing.assert_allclose(session.run(gradient, {x: value}), numeric, rtol=1e-6, atol=1e-8)


def test_gradients_of_several_computations_are_apart():
    x = tf.placeholder(tf.float64, [3, 2])
    array = _elements(x)
    first = tf.gradients(array.read(0) * 2.0, x)[0]
    second = tf.gradients(array.read(0) * 3.0, x)[0]
    with tf.Session() as session:
        values = session.run([first, second], {x: np.ones([3, 2])})
    assert [value[0].tolist() for value in values] == [[2, 2], [3, 3]]


def test_gradients_are_called_so():
    x = tf.constant([1.0])
    y = tf.TensorArray(tf.float32, 1).write(0, x).read(0)
    with pytest.raises(
        ValueError, match="Expected op/tensor name to start with gradients .excluding scope., got: other/"
    ):
        tf.gradients(y, x, name="other")


def test_sizes_have_no_gradient():
    x = tf.constant([1.0])
    size = tf.TensorArray(tf.float32, 1).write(0, x).size()
    assert tf.gradients(tf.cast(size, tf.float32), x) == [None]
