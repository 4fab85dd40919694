"""Additions of optimizers to the graph: names, slots, order, the global step, and TensorFlow's errors."""

import numpy as np
import pytest

import tinytf as tf
from tinytf import train


def _loss(*variables):
    return tf.add_n([tf.reduce_sum(v * v) for v in variables])


def _names():
    return [op.name for op in tf.get_default_graph().get_operations()]


def test_names_of_updates_and_slots():
    w = tf.Variable([1.0, 2.0], name="w")
    optimizer = train.AdamOptimizer(0.1)
    train_op = optimizer.minimize(_loss(w))
    names = _names()
    assert train_op.name == "Adam" and train_op.type == "NoOp"
    for name in ("Adam/learning_rate", "Adam/beta1", "Adam/epsilon", "Adam/update_w/ApplyAdam", "Adam/Assign_1"):
        assert name in names
    assert [v.op.name for v in optimizer.variables()] == ["beta1_power", "beta2_power", "w/Adam", "w/Adam_1"]
    assert optimizer.get_slot_names() == ["m", "v"]
    assert optimizer.get_slot(w, "v").op.name == "w/Adam_1"
    assert optimizer.get_slot(w, "other") is None
    assert optimizer.get_name() == "Adam"


def test_slots_are_not_trainable_and_of_the_variables_kind():
    for use_resource in (False, True):
        w = tf.Variable([1.0], use_resource=use_resource)
        optimizer = train.MomentumOptimizer(0.1, 0.9)
        optimizer.minimize(_loss(w))
        slot = optimizer.get_slot(w, "momentum")
        assert type(slot) is type(w)
        assert slot not in tf.trainable_variables() and slot in tf.global_variables()
        assert slot.op.colocation_groups() == [b"loc:@" + w.op.name.encode()]


def test_slots_are_made_once():
    w = tf.Variable([1.0], name="w")
    optimizer = train.MomentumOptimizer(0.1, 0.9)
    optimizer.minimize(_loss(w))
    count = len(tf.global_variables())
    optimizer.minimize(_loss(w))
    assert len(tf.global_variables()) == count
    assert "Momentum_1/update_w/ApplyMomentum" in _names()


def test_two_optimizers_have_slots_of_their_own():
    w = tf.Variable([1.0], name="w")
    train.MomentumOptimizer(0.1, 0.9).minimize(_loss(w))
    second = train.MomentumOptimizer(0.1, 0.9)
    second.minimize(_loss(w))
    assert second.get_slot(w, "momentum").op.name == "w/Momentum_1"


def test_an_optimizer_may_serve_several_graphs():
    optimizer = train.AdamOptimizer(0.1)
    for _ in range(2):
        with tf.Graph().as_default(), tf.Session() as sess:
            w = tf.Variable([1.0])
            train_op = optimizer.minimize(_loss(w))
            assert len(optimizer.variables()) == 4
            sess.run(tf.global_variables_initializer())
            sess.run(train_op)
            assert sess.run(w)[0] < 1


@pytest.mark.parametrize("use_resource", [False, True], ids=["ref", "resource"])
def test_global_step_grows_after_the_updates(use_resource):
    w = tf.Variable([1.0], name="w", use_resource=use_resource)
    step = tf.Variable(0, name="step", trainable=False, use_resource=use_resource)
    train_op = train.GradientDescentOptimizer(0.1).minimize(_loss(w), global_step=step, name="fit")
    assert train_op.name == "fit"
    assert train_op.type == ("AssignAddVariableOp" if use_resource else "AssignAdd")
    # The added number waits for the updates, and thus the addition does.
    assert [op.name for op in train_op.inputs[1].op.control_inputs] == ["fit/update"]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            assert sess.run(train_op) is None
        assert sess.run(step) == 3


def test_train_op_joins_its_collection():
    w = tf.Variable([1.0])
    train_op = train.GradientDescentOptimizer(0.1).minimize(_loss(w))
    assert tf.get_collection(tf.GraphKeys.TRAIN_OP) == [train_op]


def test_var_list_chooses_variables():
    a, b = tf.Variable([1.0], name="a"), tf.Variable([1.0], name="b")
    optimizer = train.GradientDescentOptimizer(0.1)
    pairs = optimizer.compute_gradients(_loss(a, b), var_list={"y": [b]})
    assert [v for _, v in pairs] == [b]
    assert [v for _, v in optimizer.compute_gradients(_loss(a, b))] == [a, b]


def test_gradients_of_tensors_can_be_computed_but_not_applied():
    x = tf.constant([1.0])
    optimizer = train.GradientDescentOptimizer(0.1)
    ((grad, same),) = optimizer.compute_gradients(_loss(x), [x])
    assert same is x
    with pytest.raises(NotImplementedError, match="Trying to update a Tensor "):
        optimizer.apply_gradients([(grad, x)])


def test_variables_without_gradient_are_left_alone():
    a, b = tf.Variable([1.0], name="a"), tf.Variable([1.0], name="b")
    optimizer = train.MomentumOptimizer(0.1, 0.9)
    pairs = optimizer.compute_gradients(_loss(a), [a, b])
    assert pairs[1][0] is None
    optimizer.apply_gradients(pairs)
    assert optimizer.get_slot(b, "momentum") is None


def test_grad_loss_scales():
    w = tf.Variable([3.0])
    ((grad, _),) = train.GradientDescentOptimizer(0.1).compute_gradients(w[0], grad_loss=tf.constant(5.0))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        np.testing.assert_array_equal(sess.run(grad), [5.0])


def test_a_loss_may_be_a_function():
    w = tf.Variable([3.0])
    ((grad, _),) = train.GradientDescentOptimizer(0.1).compute_gradients(lambda: _loss(w))
    assert grad.shape.as_list() == [1]


@pytest.mark.parametrize("use_resource", [False, True], ids=["ref", "resource"])
def test_constraints_follow_updates(use_resource):
    w = tf.Variable([1.0, -2.0], constraint=lambda v: tf.maximum(v, 0.5), use_resource=use_resource)
    optimizer = train.GradientDescentOptimizer(1.0)
    train_op = optimizer.minimize(_loss(w))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        np.testing.assert_allclose(sess.run(w), [0.5, 2.0])
    with pytest.raises(RuntimeError, match="Cannot use a constraint function on a sparse variable."):
        optimizer.apply_gradients([(tf.IndexedSlices(tf.constant([1.0]), tf.constant([0])), w)])


@pytest.mark.parametrize("gate", [train.Optimizer.GATE_NONE, train.Optimizer.GATE_OP, train.Optimizer.GATE_GRAPH])
def test_gates(gate):
    a, b = tf.Variable([2.0]), tf.Variable([3.0])
    train_op = train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(a * b), gate_gradients=gate)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        np.testing.assert_allclose(sess.run([a, b]), [[1.7], [2.8]], rtol=1e-6)


def test_subclasses_without_updates():
    w = tf.Variable([1.0])
    with pytest.raises(NotImplementedError):
        train.Optimizer(False, "mine").minimize(_loss(w))


def test_errors():
    w, i = tf.Variable([1.0], name="w"), tf.Variable(1, name="i", trainable=False)
    optimizer = train.GradientDescentOptimizer(0.1)
    unrelated = tf.constant(1.0, name="unrelated")
    for call, kind, message in (
        (lambda: optimizer.compute_gradients(_loss(w), []), ValueError, "No variables to optimize."),
        (
            lambda: optimizer.compute_gradients(_loss(w), gate_gradients=7),
            ValueError,
            "gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH.  Not 7",
        ),
        (
            lambda: optimizer.minimize(unrelated),
            ValueError,
            "No gradients provided for any variable, check your graph for ops that do not support gradients, between "
            f"variables {[str(w)]} and loss {unrelated}.",
        ),
        (lambda: optimizer.apply_gradients([]), ValueError, "No variables provided."),
        (
            lambda: optimizer.apply_gradients([(None, w)]),
            ValueError,
            f"No gradients provided for any variable: {[str(w)]}.",
        ),
        (lambda: optimizer.compute_gradients(tf.constant(1)), ValueError, "Invalid type tf.int32 for Const"),
        (
            lambda: optimizer.compute_gradients(_loss(w), [5]),
            AttributeError,
            "'int' object has no attribute 'op'",
        ),
        (
            lambda: optimizer.compute_gradients(_loss(w), [tf.SparseTensor([[0]], [1.0], [1])]),
            NotImplementedError,
            "Trying to optimize unsupported type ",
        ),
        (
            lambda: optimizer.apply_gradients([(object(), w)]),
            TypeError,
            "Gradient must be convertible to a Tensor or IndexedSlices, or None: <object",
        ),
    ):
        with pytest.raises(kind) as raised:
            call()
        assert message in str(raised.value)
    assert not i.trainable


_PROGRAM = """
import numpy as np
w = tf.Variable(np.ones((4, 3), np.float32), name="w", use_resource=resource)
b = tf.Variable(np.ones((3,), np.float32), name="b", use_resource=resource)
step = tf.train.get_or_create_global_step()
loss = tf.reduce_sum(tf.square(tf.gather(w, [1, 2, 1]) if sparse else w), name="loss") * tf.reduce_sum(b, name="scale")
train_op = make(tf.train).minimize(loss, global_step=step)
init = tf.global_variables_initializer()
with tf.Session() as sess:
    sess.run(init)
    for _ in range(3):
        sess.run(train_op)
    values = sess.run([w, b])
scopes = ("GradientDescent", "Momentum", "Adam", "RMSProp", "Adagrad", "Adadelta", "Proximal", "w", "b", "beta")
result = [op.name for op in tf.get_default_graph().get_operations() if op.name.startswith(scopes)], values
"""
_MADE = {
    "sgd": "make = lambda train: train.GradientDescentOptimizer(0.1)",
    "momentum": "make = lambda train: train.MomentumOptimizer(0.1, 0.9, use_nesterov=True)",
    "adam": "make = lambda train: train.AdamOptimizer(0.1)",
    "rmsprop": "make = lambda train: train.RMSPropOptimizer(0.1, momentum=0.5, centered=True)",
    "adagrad": "make = lambda train: train.AdagradOptimizer(0.1)",
    "adadelta": "make = lambda train: train.AdadeltaOptimizer(0.1)",
    "proximal": "make = lambda train: train.ProximalAdagradOptimizer(0.1, 0.1, 0.01, 0.01)",
}


@pytest.mark.oracle
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize("resource", [False, True], ids=["ref", "resource"])
@pytest.mark.parametrize("optimizer", _MADE)
def test_nodes_and_values_are_tensorflows(oracle, optimizer, resource, sparse):
    program = _MADE[optimizer] + _PROGRAM
    names, values = oracle(program, resource=resource, sparse=sparse)
    ours = {"tf": tf, "resource": resource, "sparse": sparse}
    exec(program, ours)
    own_names, own_values = ours["result"]
    assert own_names == names
    for a, b in zip(own_values, values, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-6)
