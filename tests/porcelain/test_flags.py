"""`tf.flags` are absl's flags with the names and the leniency that TensorFlow 1 programs rely on."""

import json

import pytest
from absl import flags as absl_flags
from programs import run_program

import tinytf as tf

_HEAD = """
import json, sys
import tinytf as tf
flags = tf.app.flags
flags.DEFINE_string("title", "x", "a title")
flags.DEFINE_integer("steps", 3, "a number")
flags.DEFINE_bool("fast", True, "a switch")
flags.DEFINE_float("rate", 0.5, "a rate")
FLAGS = flags.FLAGS
"""


def _found(program, *arguments):
    """The value of `found` in the program, and its stderr."""
    done = run_program(f"{_HEAD}\n{program}\nprint(json.dumps(found))", *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


def test_flags_are_read_when_first_asked_for():
    program = "found = [FLAGS.is_parsed(), FLAGS.steps, FLAGS.is_parsed(), FLAGS.title, FLAGS.fast, FLAGS.rate]"
    assert _found(program, "--steps=7", "--title", "y", "--nofast") == ([False, 7, True, "y", False, 0.5], "")


def test_unknown_flags_are_errors_then():
    program = """
try:
    FLAGS.steps
except flags.UnrecognizedFlagError as e:
    found = [str(e), FLAGS.is_parsed()]
"""
    assert _found(program, "--unheard=1")[0] == ["Unknown command line flag 'unheard'", False]


def test_what_needs_no_command_line_does_not_read_it():
    program = """
FLAGS.steps = 5
found = ["steps" in FLAGS, "x" in FLAGS, FLAGS["steps"].value, len(FLAGS) > 3, "rate" in list(FLAGS), FLAGS.is_parsed()]
"""
    assert _found(program, "--unheard=1")[0] == [True, False, 5, True, True, False]


def test_arguments_by_their_old_names():
    program = """
flags.DEFINE_string(flag_name="s", default_value="d", docstring="text")
flags.DEFINE_boolean("b", False, docstring="more")
found = [FLAGS.s, FLAGS["s"].help, FLAGS.b, FLAGS["b"].help]
"""
    found, printed = _found(program)
    assert found == ["d", "text", False, "more"]
    (first, second) = printed.splitlines()
    assert first == second and first.startswith("WARNING:tinytf:Use of the keyword argument names (flag_name, ")


def test_flags_belong_to_the_module_that_defines_them():
    found, _ = _found("found = [flag.name for flag in FLAGS.get_key_flags_for_module(sys.argv[0])]")
    assert found == ["title", "steps", "fast", "rate"]


def test_a_flag_defined_twice():
    program = """
try:
    flags.DEFINE_integer("steps", 4, "again")
except flags.DuplicateFlagError as e:
    found = str(e)
"""
    assert "The flag 'steps' is defined twice." in _found(program)[0]


def test_other_kinds_of_flags():
    program = """
flags.DEFINE_enum("e", "a", ["a", "b"], "one of two")
flags.DEFINE_list("l", "a,b", "some")
flags.DEFINE_multi_integer("m", [1], "numbers")
found = [FLAGS.e, FLAGS.l, FLAGS.m]
"""
    assert _found(program, "--e=b", "--m=3", "--m=4")[0] == ["b", ["a", "b"], [3, 4]]


def test_they_are_absls():
    assert isinstance(tf.flags.FLAGS, absl_flags.FlagValues)
    assert tf.app.flags is tf.flags
    assert tf.flags.DEFINE_enum is absl_flags.DEFINE_enum
    values = absl_flags.FlagValues()
    tf.flags.DEFINE_integer("count", 2, "a number", flag_values=values)
    assert values(["program", "--count=3"]) == ["program"] and values.count == 3


def test_flags_can_be_set_and_removed():
    program = """
FLAGS.steps = 9
del FLAGS.rate
found = [FLAGS.steps, hasattr(FLAGS, "rate"), FLAGS.flag_values_dict()["steps"], "title" in dir(FLAGS)]
"""
    assert _found(program)[0] == [9, False, 9, True]


def test_flags_that_do_not_exist():
    with pytest.raises(tf.flags.UnrecognizedFlagError):
        tf.flags.FLAGS.no_such_flag_at_all = 1
    program = """
try:
    FLAGS.nope
except AttributeError as e:
    found = str(e)
"""
    assert _found(program)[0] == "nope"
