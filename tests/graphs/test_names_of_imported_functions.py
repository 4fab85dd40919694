"""Functions get names that no imported function has, whatever numbers those end with."""

import re

import pytest

import tinytf as tf


def _call(x, factor):
    def scaled(t):
        return t * factor

    return tf.function(scaled, autograph=False)(x)


def _exported(factor):
    """A graph that calls a function, and the function's name."""
    with tf.Graph().as_default() as graph:
        tf.identity(_call(tf.constant(2.0), factor), name="y")
    graph_def = graph.as_graph_def()
    (name,) = (function.signature.name for function in graph_def.library.function)
    return graph_def, name


def _renamed(graph_def, new):
    made = tf.GraphDef()
    made.ParseFromString(graph_def.SerializeToString())
    (function,) = made.library.function
    function.signature.name = new
    for node in made.node:
        if "f" in node.attr:
            node.attr["f"].func.name = new
    return made


@pytest.mark.parametrize("ahead", range(1, 5))
def test_the_next_numbers_may_be_taken(ahead):
    graph_def, name = _exported(3.0)
    stem, number = re.fullmatch(r"(.*_)(\d+)", name).groups()
    imported = _renamed(graph_def, f"{stem}{int(number) + ahead}")
    with tf.Graph().as_default() as graph:
        (there,) = tf.import_graph_def(imported, return_elements=["y:0"], name="there")
        here = [_call(tf.constant(2.0), factor) for factor in (5.0, 7.0, 9.0, 11.0)]
        with tf.Session() as session:
            assert session.run([there, *here]) == [6.0, 10.0, 14.0, 18.0, 22.0]
    names = [function.signature.name for function in graph.as_graph_def().library.function]
    assert len(set(names)) == 5


@pytest.mark.parametrize("number", ["0", "00017", "9" * 19, "9" * 5000])
def test_numbers_of_any_length_are_imported(number):
    graph_def, name = _exported(3.0)
    with tf.Graph().as_default():
        (there,) = tf.import_graph_def(_renamed(graph_def, f"f_{number}"), return_elements=["y:0"], name="there")
        with tf.Session() as session:
            assert session.run([there, _call(tf.constant(2.0), 5.0)]) == [6.0, 10.0]
