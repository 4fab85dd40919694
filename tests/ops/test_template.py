"""Templates: variables shared by calls, names of scopes, and errors of later calls."""

import logging

import pytest

import tinytf as tf

_PROGRAM = """
def dense(x, units, name="w"):
    w = tf.get_variable(name, [units], initializer=tf.ones_initializer())
    tf.get_variable("count", [], trainable=False, initializer=tf.zeros_initializer(), use_resource=True)
    tf.get_local_variable("local", [])
    return tf.multiply(x, w, name="y")

def names(items):
    return [item.name for item in items]

def nested(x):
    inner = tf.make_template("inner", dense, units=2)
    return inner(x) + inner(x)

result = []
with tf.name_scope("outer_names"), tf.variable_scope("scope"):
    first = tf.make_template("layer", dense, units=2)
    second = tf.make_template("layer", dense, units=2)
    now = tf.make_template("layer", dense, create_scope_now_=True, units=2)
    result.append([first.variable_scope_name, now.variable_scope_name, now.variables])
    for template in (first, second, now, tf.make_template("deep", nested), tf.make_template("u", dense, False, "uu", units=3)):
        for _ in range(3):
            result.append(template(1.0).name)
        result.append([template.name, template.variable_scope_name, template.variable_scope.reuse])
        result.append([names(template.variables), names(template.trainable_variables),
                       names(template.non_trainable_variables), names(template.local_variables), names(template.weights)])
with tf.variable_scope("scope", reuse=True):
    again = tf.make_template("layer", dense, units=2)
    result.append([again(1.0).name, again(1.0).name, names(again.variables)])
result.append([op.name for op in tf.get_default_graph().get_operations() if op.name.endswith("y")])
result.append(names(tf.global_variables()))
"""


@pytest.mark.oracle
def test_same_names_as_tensorflow(oracle):
    names = {"tf": tf}
    exec(_PROGRAM, names)
    assert names["result"] == oracle(_PROGRAM)


def _scale(x, name="scale", **options):
    return x * tf.get_variable(name, [], initializer=tf.constant_initializer(3.0), **options)


def test_calls_share_variables():
    template = tf.make_template("s", _scale)
    assert (template.variables, template.variable_scope, template.variable_scope_name) == ([], None, None)
    a, b = template(2.0), template(5.0)
    assert [v.name for v in template.variables] == ["s/scale:0"]
    assert (template.name, template.func, template.variable_scope_name) == ("s", _scale, "s/")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run([a, b]) == [6, 15]


def test_templates_are_apart():
    made = [tf.make_template("s", _scale) for _ in range(2)]
    for template in made:
        template(1.0)
    assert [v.name for v in tf.global_variables()] == ["s/scale:0", "s_1/scale:0"]


def test_arguments_given_early():
    template = tf.make_template("s", _scale, name="other")
    template(1.0)
    assert [v.op.name for v in tf.global_variables()] == ["s/other"]


def test_unique_name_collides():
    tf.make_template("a", _scale, unique_name_="u")(1.0)
    other = tf.make_template("b", _scale, unique_name_="u")
    with pytest.raises(ValueError, match="Variable u/scale already exists"):
        other(1.0)


def test_custom_getter():
    seen = []

    def getter(getter, name, *args, **kwargs):
        seen.append(name)
        return getter(name, *args, **kwargs)

    for now in (False, True):
        template = tf.make_template("s", _scale, now, custom_getter_=getter)
        template(1.0)
        template(1.0)
    assert seen == ["s/scale", "s/scale", "s_1/scale", "s_1/scale"]


def test_a_template_has_a_name():
    with pytest.raises(ValueError, match="name cannot be None"):
        tf.make_template(None, _scale)


def test_later_calls_make_no_trainable_variable():
    template = tf.make_template("s", lambda: tf.Variable(1.0))
    template()
    with pytest.raises(
        ValueError, match="Trainable variable created when calling a template after the first time"
    ) as e:
        template()
    assert "originally defined at:" in str(e.value)
    assert "test_later_calls_make_no_trainable_variable" in str(e.value)


def test_later_calls_that_make_other_variables_are_told_of(caplog):
    template = tf.make_template("s", lambda: tf.Variable(1.0, trainable=False))
    template()
    with caplog.at_level(logging.INFO, logger="tinytf"):
        template()
    assert "New variables created when calling a template after the first time" in caplog.text
    caplog.clear()  # log records reference the variables


def test_later_calls_may_not_ask_for_new_names():
    template = tf.make_template("s", _scale)
    template(1.0)
    with pytest.raises(ValueError, match="Variable s/new does not exist"):
        template(1.0, name="new")


def test_after_a_failed_first_call_the_next_is_the_first():
    calls = []

    def fails_once(x):
        calls.append(x)
        if len(calls) == 1:
            raise KeyError("missing")
        return _scale(x)

    template = tf.make_template("s", fails_once)
    with pytest.raises(KeyError, match="missing.*originally defined at"):
        template(1.0)
    assert template.variables == []
    template(1.0)
    template(1.0)
    assert [v.name for v in template.variables] == ["s/scale:0"]
