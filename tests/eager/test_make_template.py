"""`tf.make_template` in eager execution: a template keeps its variables."""

import pytest

import tinytf as tf


@pytest.fixture(autouse=True)
def _fresh_collections(eager):
    yield
    tf.reset_default_graph()  # the default graph keeps variables made by templates


def _scaled(x):
    offset = tf.get_local_variable("offset", [], initializer=tf.zeros_initializer())
    return tf.get_variable("scale", [], initializer=tf.ones_initializer()) * x + offset


def test_calls_share_variables():
    template = tf.make_template("t", _scaled)
    assert float(template(2.0)) == 2.0
    [scale] = template.trainable_variables
    scale.assign(3.0)
    assert float(template(2.0)) == 6.0


def test_variables_are_listed_by_kind():
    template = tf.make_template("t", _scaled)
    assert template.variables == []
    template(1.0)
    assert [v.name for v in template.global_variables] == ["t/scale:0"]
    assert [v.name for v in template.local_variables] == ["t/offset:0"]
    assert [v.name for v in template.trainable_variables] == ["t/scale:0"]
    assert len(template.variables) == 2


def test_templates_of_one_name_share_nothing():
    first, second = tf.make_template("t", _scaled), tf.make_template("t", _scaled)
    first(1.0), second(1.0)
    first.trainable_variables[0].assign(5.0)
    assert float(second(1.0)) == 1.0
    assert second.trainable_variables[0].name == "t_1/scale:0"


def test_new_trainable_variables_are_refused_later():
    names = iter(["a", "b"])
    template = tf.make_template("t", lambda: tf.get_variable(next(names), []))
    template()
    with pytest.raises(ValueError, match="Trainable variable created when calling a template after the first time"):
        template()


def test_unique_names_are_for_graphs():
    with pytest.raises(ValueError, match="unique_name_ cannot be used when eager execution is enabled."):
        tf.make_template("t", _scaled, unique_name_="u")
