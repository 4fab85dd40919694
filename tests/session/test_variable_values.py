"""Variables in steps: read values do not change later, and names identify variables."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src import protos


@pytest.mark.parametrize("size", [2, 5000])
def test_a_value_read_from_a_resource_never_changes(sess, size):
    v = tf.get_variable("v", initializer=np.zeros(size), use_resource=True)
    sess.run(tf.global_variables_initializer())
    before = v.read_value()
    with tf.control_dependencies([before]):
        updates = [v.assign_add(np.ones(size)), v.scatter_add(tf.IndexedSlices(tf.constant([2.0], tf.float64), [0]))]
    with tf.control_dependencies(updates):
        after, old = v.read_value(), tf.identity(before)
    for run in range(3):
        first, still, last = sess.run([before, old, after])
        np.testing.assert_array_equal(first, still)
        assert (first[0], first[1]) == (3 * run, run) and (last[0], last[1]) == (3 * run + 3, run + 1)


def test_a_chain_of_references_sees_each_update(sess):
    v = tf.get_variable("v", initializer=[1.0], use_resource=False)
    sess.run(tf.global_variables_initializer())
    chain = tf.assign_add(tf.assign_sub(tf.assign(v, [5.0]), [1.0]), [10.0])
    assert sess.run(chain) == [14] and sess.run(v) == [14]
    assert sess.run(chain.op) is None and sess.run(v) == [14]


def test_updates_are_locked_against_each_other_if_asked(sess):
    v = tf.get_variable("v", initializer=0, use_resource=False)
    sess.run(tf.global_variables_initializer())
    sess.run([tf.assign_add(v, 1, use_locking=True) for _ in range(50)])
    assert sess.run(v) == 50


def test_a_reference_may_change_its_shape_if_asked(sess):
    v = tf.Variable([1.0, 2.0], validate_shape=False, name="v")
    value = tf.placeholder(tf.float32)
    sess.run(v.initializer)
    sess.run(tf.assign(v, value, validate_shape=False), {value: [[1, 2, 3]]})
    np.testing.assert_array_equal(sess.run(v), [[1, 2, 3]])
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        sess.run(tf.assign(v, value), {value: [1, 2, 3]})
    assert caught.value.message.startswith(
        "Assign requires shapes of both tensors to match. lhs shape= [1,3] rhs shape= [3]\n"
    )


def test_one_name_in_one_container_is_one_variable(sess):
    def handle(**names):
        return tf.raw_ops.VarHandleOp(shape=[], dtype=tf.float32, **names)

    handles = [
        handle(shared_name="a"),
        handle(shared_name="a", container="localhost"),
        handle(shared_name="a", container="other"),
        handle(shared_name="b"),
        handle(name="a"),  # without a shared name the node's name counts
    ]
    with tf.container("other"):
        handles.append(handle(shared_name="a"))
    for number, h in enumerate(handles):
        sess.run(tf.raw_ops.AssignVariableOp(resource=h, value=float(number)))
    values = sess.run([tf.raw_ops.ReadVariableOp(resource=h, dtype=tf.float32) for h in handles])
    assert values == [4, 4, 5, 3, 4, 5]


@pytest.mark.parametrize("kind", ["VariableV2", "VarHandleOp"])
@pytest.mark.parametrize(
    ("names", "text"),
    [
        ({"shared_name": "_a"}, "shared_name cannot start with '_':_a"),
        ({"container": "a b"}, "container contains invalid characters: a b"),
        ({"container": "-a"}, "container contains invalid characters: -a"),
    ],
)
def test_names_that_resources_may_not_have(sess, kind, names, text):
    variable = getattr(tf.raw_ops, kind)(shape=[], dtype=tf.float32, **names)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        sess.run(variable)
    assert caught.value.message.startswith(f"{text}\n\t [[node {kind} (defined at ")


def test_kinds_of_variables():
    assert tf.Variable(1.0).dtype.name == "float32_ref"
    assert tf.Variable(1.0, use_resource=True).handle.dtype == tf.resource
    with tf.variable_scope("scope", use_resource=True):
        assert tf.get_variable("v", []).handle.dtype == tf.resource
    tf.enable_resource_variables()
    try:
        assert tf.Variable(1.0).handle.dtype == tf.resource and tf.get_variable("v", []).handle.dtype == tf.resource
    finally:
        tf.disable_resource_variables()
    assert tf.get_variable("w", []).dtype.name == "float32_ref"


@pytest.mark.parametrize("validate_shape", [True, False])
@pytest.mark.parametrize("to_itself", [True, False])
@pytest.mark.parametrize("compiles", [True, False])
def test_a_value_that_is_assigned_must_be_there(validate_shape, to_itself, compiles):
    """Assign may take a reference to an uninitialized variable, but not read it, which crashes 1.15.5."""
    target, other = (tf.raw_ops.VariableV2(shape=[], dtype=tf.float32, name=name) for name in ("target", "other"))
    source = target if to_itself else other
    assign = tf.raw_ops.Assign(ref=target, value=source, validate_shape=validate_shape)
    config = tf.ConfigProto()
    if not compiles:
        config.graph_options.rewrite_options.loop_optimization = protos.RewriterConfig.OFF
    chosen = tf.cond(tf.placeholder_with_default(True, []), lambda: tf.constant(1.0), lambda: tf.constant(2.0))
    with tf.Session(config=config) as session:
        with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value " + source.op.name):
            session.run([assign, chosen])
        assert not session.run(tf.is_variable_initialized(target))
