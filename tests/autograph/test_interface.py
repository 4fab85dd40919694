"""The functions of `tf.autograph`."""

import inspect
import logging

import pytest
from programs import run_program, run_python

import tinytf as tf
from tinytf._src.autograph import verbosity

experimental = tf.autograph.experimental


@pytest.fixture(autouse=True)
def _verbosity():
    yield
    tf.autograph.set_verbosity(0)
    verbosity._level = None


def absolute(x):
    return x if x > 0 else -x


def test_features():
    feature = experimental.Feature
    assert feature.all() == tuple(feature)
    assert set(feature.all_but([feature.LISTS])) == set(feature) - {feature.LISTS, feature.ALL}
    assert feature.ALL not in feature.all_but(feature.LISTS)
    with pytest.raises(ValueError, match="features of tf.autograph.experimental"):
        tf.autograph.to_graph(absolute, experimental_optional_features="ALL")


def test_verbosity(caplog, capsys, monkeypatch):
    with caplog.at_level(logging.INFO, "tinytf"):
        tf.autograph.to_graph(lambda x: absolute(x))(1)
        assert not caplog.text
        tf.autograph.set_verbosity(1, alsologtostdout=True)
        tf.autograph.to_graph(lambda x: absolute(x))(1)
    assert "Converted <function absolute" in caplog.text
    assert "Converted <function absolute" in capsys.readouterr().out
    verbosity._level = None
    monkeypatch.setenv("AUTOGRAPH_VERBOSITY", "1")
    with caplog.at_level(logging.INFO, "tinytf"):
        caplog.clear()
        tf.autograph.to_graph(lambda x: absolute(x))(1)
    assert "Converted <function absolute" in caplog.text


def test_trace_prints_at_once(capsys):
    tf.autograph.trace(1, "a", None)
    assert capsys.readouterr().out == "1 a None\n"


def test_calls_are_left_alone_where_it_is_not_recursive():
    def function(x):
        return absolute(x)

    with tf.Graph().as_default():
        x = tf.placeholder(tf.int32, [])
        with tf.Session() as sess:
            assert sess.run(tf.autograph.to_graph(function)(x), {x: -3}) == 3
        with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
            tf.autograph.to_graph(function, recursive=False)(x)


def test_what_do_not_convert_leaves():
    @experimental.do_not_convert
    def plain(x):
        """Documented."""
        return absolute(x)

    assert (plain.__name__, plain.__doc__, plain(-2)) == ("plain", "Documented.", 2)
    assert inspect.signature(experimental.do_not_convert).parameters["func"].default is None
    with tf.Graph().as_default():
        x = tf.placeholder(tf.int32, [])
        with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="AutoGraph is disabled in this function"):
            tf.autograph.to_graph(lambda x: plain(x))(x)


def test_options_of_a_loop_do_nothing_elsewhere():
    assert experimental.set_loop_options(parallel_iterations=1) is None
    with pytest.raises(TypeError):
        tf.autograph.to_graph(_with_wrong_options)(3)


def _with_wrong_options(n):
    with tf.Graph().as_default():
        x = tf.constant(n)
        while x > 0:
            experimental.set_loop_options(nothing=1)
            x -= 1


def test_functions_that_are_made_elsewhere_are_called_as_such():
    """A function that merely has the name of the directive is called normally."""
    asked = []

    def set_loop_options(n):
        asked.append(n)

    def function(n):
        for i in range(n):
            set_loop_options(i)
        return n

    tf.autograph.to_graph(function)(2)
    assert asked == [0, 1]


def test_printing_of_tensors(capfd):
    def function(x):
        print("is", x, b"text", sep="|", end="!\n")
        return x

    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.string, [])
        tf.autograph.to_graph(function)(x)
        assert "Placeholder" in capfd.readouterr().out
        graph = tf.autograph.to_graph(function, experimental_optional_features=experimental.Feature.BUILTIN_FUNCTIONS)
        result = tf.function(graph)(x)
        assert capfd.readouterr().out == ""
        sess.run(result, {x: "one"})
    assert capfd.readouterr().out == "is|one|b'text'!\n"


def test_items_of_tensors():
    def function(x, d):
        x[0] = 5
        d["k"] = x
        return d["k"]

    lists = experimental.Feature.LISTS
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant([1, 2])
        with pytest.raises(TypeError, match="does not support item assignment"):
            tf.autograph.to_graph(function)(x, {})
        assert sess.run(tf.autograph.to_graph(function, experimental_optional_features=lists)(x, {})).tolist() == [5, 2]


def test_nothing_is_loaded_before_it_is_needed():
    program = (
        "import sys, tinytf as tf\n"
        "tf.enable_eager_execution()\n"
        "tf.function(lambda x: x, autograph=False)(tf.constant(1))\n"
        "assert not [name for name in sys.modules if name.startswith('tinytf._src.autograph')]\n"
        "tf.function(lambda x: x)(tf.constant(1))\n"
        "assert 'tinytf._src.autograph.api' in sys.modules\n"
    )
    done = run_program(program)
    assert done.returncode == 0, done.stderr


def test_equality_by_value_is_for_all_after_enable_v2_behavior(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import tinytf as tf\n"
        "tf.enable_v2_behavior()\n"
        "function = tf.function(lambda x: (x == 1, x != 1, x is None))\n"
        "print([bool(t) for t in function(tf.constant(1))])\n"
        "print(tf.constant(1) == tf.constant(1))\n"
    )
    done = run_python(program)
    assert (done.returncode, done.stdout.splitlines()) == (0, ["[True, False, False]", "False"]), done.stderr
