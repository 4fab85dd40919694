"""Traits in op declarations agree with signatures and kernels, and no op lacks a trait that it needs."""

import re

import numpy as np
import pytest
from repository import CSRC, IMPLEMENTATION, cpp_files, python_files

import tinytf as tf
from tinytf import _core
from tinytf._src.framework.declarations.op_spec import OpSpec, op_spec

OPS = {name: op_spec(name) for name in _core.op_names()}
TRAITS = {name: _core.op_def(name)["traits"] for name in OPS}
_RESOURCE = tf.resource.as_datatype_enum
# Stateful because they print, for which there is no trait.
_PRINTING = {"Print", "PrintV2"}
# Stateful in TensorFlow without an apparent reason.
_RESIZING = {"TensorListResize"}
# Create arrays with string handles.
_NAMING = {"TensorArrayV2", "TensorArrayGradV2"}
# Update the input variable and return its previous value.
_COUNTING = {"CountUpTo", "ResourceCountUpTo"}
# Describe a sequence; in TensorFlow, some are stateful so that they are not folded.
_DESCRIBING = {
    name for name in OPS if _core.op_def(name)["family"] == "data" and name.endswith(("Dataset", "DatasetV2"))
}
# Arrays and stacks end with the step and have no outside effect.
_OF_STEPS = {name for name in OPS if name.startswith(("TensorArray", "Stack"))}

# Placeholders for missing values.
_NOTHING = {"FakeParam", "OptionalNone"}
# Find their container by a name attr.
_FINDING = {"Unstage", "StageSize", "MapSize", "MapIncompleteSize", "OrderedMapSize", "OrderedMapIncompleteSize"} | {
    "RecordInput"
}
_CALLING = ("calls_function", "chooses", "repeats", "derives")  # call functions of the graph


def having(trait):
    """The names of the ops with the trait."""
    return {name for name, traits in TRAITS.items() if traits[trait]}


def _is_state(arg):
    return arg.is_ref or arg.type == _RESOURCE


def takes_state(op):
    """Whether an input is declared as a variable or another resource."""
    return any(_is_state(arg) for arg in op.inputs)


def makes_state(op):
    """Whether the op returns a variable or another resource that is not among its inputs."""
    return not takes_state(op) and any(_is_state(arg) for arg in op.outputs)


def attribute_of(trait):
    """The attribute of `OpSpec` for a trait; None if Python does not use the trait."""
    return next((name for name in (trait, f"is_{trait}", f"yields_{trait}") if name in OpSpec.__slots__), None)


def test_python_is_told_what_is_declared():
    told = {trait: attribute_of(trait) for trait in TRAITS["Const"] if attribute_of(trait)}
    assert len(told) > 8
    for trait, attribute in told.items():
        assert {name for name, op in OPS.items() if getattr(op, attribute)} == having(trait)


@pytest.mark.parametrize("trait", TRAITS["Const"])
def test_some_op_has_it(trait):
    """Every trait is used by a registered op, except `function`, which only graph-defined ops have."""
    assert bool(having(trait)) == (trait != "function")


@pytest.mark.parametrize("trait", TRAITS["Const"])
def test_traits_are_asked_for(trait):
    """Every trait is queried outside of the declarations."""
    in_cpp = re.compile("Trait::k" + "".join(word.capitalize() for word in trait.split("_")) + r"\b")
    in_python = re.compile(rf"\.{attribute_of(trait)}\b")
    cpp = [path for path in cpp_files() if path.relative_to(CSRC).parts[0] != "ops" and path.name != "op_def.cc"]
    python = [path for path in python_files() if path != IMPLEMENTATION / "framework/declarations/op_spec.py"]
    asked_in_cpp = any(in_cpp.search(path.read_text()) for path in cpp if path.name != "op_def.h")
    assert asked_in_cpp or any(in_python.search(path.read_text()) for path in python)


def test_stateful_ops_say_why():
    """A stateful op takes or makes a resource, or has a trait that explains its state."""
    reasons = ("random", "checks", "reads_external_state", "writes_external_state", *_CALLING)
    silent = {
        name
        for name, op in OPS.items()
        if op.is_stateful and not takes_state(op) and not makes_state(op) and not any(TRAITS[name][r] for r in reasons)
    }
    assert silent - _DESCRIBING == _PRINTING | _RESIZING | _NAMING


def test_ops_without_inputs_say_what_they_are():
    sources = {name for name, op in OPS.items() if op.outputs and not op.inputs and not makes_state(op)}
    assert sources - _NOTHING - _FINDING == having("constant") | {
        name for name in having("placeholder") if not OPS[name].inputs
    }


def test_variables_yield_state_under_a_name():
    named = {
        n for n, op in OPS.items() if makes_state(op) and {"container", "shared_name", "shape"} <= set(op.attr_by_name)
    }
    assert having("variable") == named - {name for name in named if "Accumulator" in name}


def test_constants_have_a_value():
    assert all(OPS[name].attr_by_name["value"].kind == "tensor" for name in having("constant"))


def test_random_ops_are_those_with_seeds():
    seeded = {n for n, op in OPS.items() if {"seed", "seed2"} <= set(op.attr_by_name) and not makes_state(op)}
    assert having("random") == seeded
    assert all(OPS[name].is_stateful for name in seeded)


def test_what_yields_a_value_of_a_resource_leaves_it_or_says_what_it_changes():
    yielding = {n for n, op in OPS.items() if takes_state(op) and any(not _is_state(arg) for arg in op.outputs)}
    assert yielding - having("reads_resource") - having("writes_external_state") - _OF_STEPS == _COUNTING
    assert having("reads_resource") <= yielding
    assert not having("reads_resource") & having("writes_external_state")


def test_what_is_no_variable_is_read_or_written_by_stateful_ops():
    """Ops that read or write external state are stateful, with exceptions: PyFuncStateless, whose program
    promises a pure function, and ops that read files, which TensorFlow declares stateless although they run in each
    step here. Ops of early graphs may have a reference instead.
    """
    told = {name for name, op in OPS.items() if op.is_stateful or any(arg.is_ref for arg in op.inputs)}
    pure = (having("reads_external_state") | having("writes_external_state")) - told
    assert pure == {"PyFuncStateless", "ReadFile", "MatchingFiles", "GenerateVocabRemapping"}


def test_the_program_is_external_state():
    assert {name for name, op in OPS.items() if op.may_block} <= having("reads_external_state").union(
        *map(having, _CALLING)
    )


def test_handles_of_the_session_are_strings():
    for name in having("session_handle"):
        (output,) = OPS[name].outputs
        assert output.type == tf.string.as_datatype_enum
        assert TRAITS[name]["reads_external_state"] and TRAITS[name]["writes_external_state"]


def test_missing_gradients_are_ignored_where_there_are_several():
    ignoring = {name: op.ignored_gradients for name, op in OPS.items() if op.ignored_gradients}
    assert ignoring
    for name, outputs in ignoring.items():
        assert OPS[name].gradient == "registered"
        assert outputs < set(range(len(OPS[name].outputs))), name


def _inputs(op, tensor):
    return [[tensor] if arg.is_list else tensor for arg in op.inputs]


def _run(name, value, **attrs):
    """The flat output of a single-input op for a fed value of unknown static shape."""
    op = OPS[name]
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(value.dtype)
        made = getattr(tf.raw_ops, name)(**{op.inputs[0].name: _inputs(op, x)[0]}, **attrs)
        return np.asarray(sess.run(made, {x: value})).reshape(-1)


@pytest.mark.parametrize("name", sorted(having("shape_only")))
def test_what_looks_at_shapes_only(name):
    told = [_run(name, np.full((2, 3), value)).tolist() for value in (0.0, 7.0, np.nan)]
    assert told[0] == told[1] == told[2]
    assert told[0] != _run(name, np.zeros((2, 3, 4))).tolist()
    with tf.Graph().as_default(), tf.Session() as sess:  # the static inference for a known shape gives the same
        x = tf.placeholder(tf.float32, [2, 3])
        made = getattr(tf.raw_ops, name)(input=_inputs(OPS[name], x)[0])
        assert np.asarray(sess.run(made, {x: np.zeros((2, 3))})).reshape(-1).tolist() == told[0]
        assert _core.op_def(name)["gradient"] == "not_differentiable"


@pytest.mark.parametrize("name", sorted(having("passes_value")))
def test_what_passes_its_value(name):
    attrs = {"DstT": tf.int64} if "DstT" in OPS[name].attr_by_name else {}
    assert _run(name, np.array([3, -1, 2**31 - 1], np.int32), **attrs).tolist() == [3, -1, 2**31 - 1]


@pytest.mark.parametrize("name", sorted(having("maps_sparse")))
def test_what_maps_values_of_sparse_tensors(name):
    with tf.Graph().as_default(), tf.Session() as sess:
        sparse = tf.SparseTensor([[0, 1]], [0.5], [2, 3])
        mapped = getattr(tf.raw_ops, name)(x=sparse)
        assert isinstance(mapped, tf.SparseTensor)
        assert mapped.indices is sparse.indices
        assert sess.run(mapped).values == sess.run(getattr(tf.raw_ops, name)(x=tf.constant([0.5])))


def test_checks_fail():
    """Checks fail even if their output is unused. `Abort` is tested in tests/session/test_abort.py."""
    attrs = {"CheckNumerics": {"message": "bad"}, "EnsureShape": {"shape": [9]}}
    assert having("checks") == {"Abort", "Assert", *attrs}
    for name, attr in attrs.items():
        with tf.Graph().as_default(), tf.Session() as sess:
            x = tf.placeholder(tf.float32)
            check = getattr(tf.raw_ops, name)(**{OPS[name].inputs[0].name: x}, **attr)
            with tf.control_dependencies([check]):
                y = tf.identity(1.0)
            with pytest.raises(tf.errors.InvalidArgumentError):
                sess.run(y, {x: np.array([np.nan], np.float32)})
