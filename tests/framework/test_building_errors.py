"""Errors during graph construction: their messages, and which frames of this package they show."""

import copy
import os
import pickle
import sys
import traceback
import types

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.errors import error_interpolation
from tinytf._src.framework.sites import creation_line

_PACKAGE = os.path.dirname(os.path.abspath(tf.__file__)) + os.sep

MISTAKES = {
    "shapes": lambda: tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3])),
    "types": lambda: tf.Variable(3) + 1.5,
    "attr": lambda: tf.one_hot([1], 3, axis="last"),
    "list": lambda: tf.concat([tf.zeros([2]), tf.zeros([2, 2])], 0),
    "value": lambda: tf.reshape(tf.zeros([2]), "shape"),
    "assign": lambda: tf.assign(tf.Variable(1.0), [1.0, 2.0]),
    "eval": lambda: tf.zeros([2]).eval(),
    "run": lambda: tf.zeros([2]).op.run(),
    "sparse": lambda: tf.SparseTensor([[0]], [1.0], [2]).eval(),
    "where": lambda: tf.where([True], [1.0]),
    "dtype": lambda: tf.as_dtype("text"),
    "decay": lambda: tf.train.exponential_decay(0.1, None, 10, 0.9),
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_frames_of_the_package_are_gone(kind):
    with pytest.raises((TypeError, ValueError)) as e:
        MISTAKES[kind]()
    own = [f for f, _ in traceback.walk_tb(e.value.__traceback__) if f.f_code.co_filename.startswith(_PACKAGE)]
    assert len(own) <= (0 if sys.version_info >= (3, 11) else 1)


def test_all_frames_are_shown_on_request(monkeypatch):
    monkeypatch.setenv("TINYTF_FULL_TRACEBACKS", "1")
    with pytest.raises(ValueError) as e:
        MISTAKES["shapes"]()
    frames = [frame for frame, _ in traceback.walk_tb(e.value.__traceback__)]
    assert frames[-1].f_code.co_name == "_create"
    assert not any(frame.f_locals.get("__tracebackhide__") for frame in frames)


def test_notes_name_op_and_arguments():
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    with pytest.raises(ValueError) as e:
        tf.matmul(x, np.zeros([4, 2], np.float32))
    assert str(e.value).startswith("Dimensions must be equal, but are 3 and 4 for 'MatMul' (op: 'MatMul')")
    if not hasattr(e.value, "add_note"):  # Python 3.10 has no notes
        return
    [note] = e.value.__notes__
    assert (
        note == "The call was of op MatMul with a = x:0 (float32, shape (?, 3)), b = MatMul/b:0 (float32, shape (4, 2))"
    )


@pytest.fixture
def cell(monkeypatch):
    """A function that runs source as input 3 of a notebook and returns its globals."""
    file = "/tmp/ipykernel_1/12345.py"
    shell = types.SimpleNamespace(compile=types.SimpleNamespace(_filename_map={file: 3}))
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))

    def run(text):
        names = {"tf": tf}
        exec(compile(text, file, "exec"), names)
        return names

    return run


def test_cells_are_named_by_their_numbers(cell):
    made = cell("x = tf.placeholder(tf.float32, [2], name='x')\ny = tf.check_numerics(x / 0., 'never', name='y')\n")
    assert creation_line.creation_line(made["y"].op) == "Cell In[3], line 2"
    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError) as e:
        sess.run(made["y"], {made["x"]: [1.0, 2.0]})
    text = str(e.value)
    assert "(defined at Cell In[3], line 2)" in text
    trace = text[text.index("Original stack trace") :]
    assert 'File "Cell In[3]", line 2, in <module>' in trace
    assert trace.count("File ") == 1  # without frames of the notebook's runner and of this package


def test_stack_traces_are_the_users():
    def make(x):
        return tf.check_numerics(tf.divide(x, 0.0), "never", name="y")

    y = make(tf.constant([1.0]))
    trace = error_interpolation.original_stack_trace(y.op)
    assert "in make" in trace
    assert _PACKAGE not in trace
    assert "frozen" not in trace


@pytest.mark.parametrize("way", [pickle.dumps, copy.deepcopy])
@pytest.mark.parametrize("what", ["Graph", "Operation", "Tensor", "RefVariable", "ResourceVariable", "Session"])
def test_parts_of_graphs_say_why_they_cannot_be_copied(what, way):
    x = tf.constant(1.0)
    with tf.Session() as sess:
        thing = {
            "Graph": lambda: x.graph,
            "Operation": lambda: x.op,
            "Tensor": lambda: x,
            "RefVariable": lambda: tf.Variable(1.0),
            "ResourceVariable": lambda: tf.Variable(1.0, use_resource=True),
            "Session": lambda: sess,
        }[what]()
        with pytest.raises(TypeError) as e:
            way([thing])
        assert repr(thing) in str(e.value)
    assert ("session.run" if "Variable" in what else "as_graph_def") in str(e.value)


@pytest.mark.parametrize("use_resource", [False, True])
def test_variables_are_no_arrays(use_resource):
    v = tf.Variable(1.0, use_resource=use_resource, name="v")
    with pytest.raises(TypeError, match=r"variable of a graph \(v:0\) to a numpy array.*session.run"):
        np.array([v])
    assert copy.copy(v) is v
    assert tf.stack([v, 1.0]).shape == [2]


@pytest.mark.parametrize("name", ["RaggedTensorSpec", "keras"])
def test_names_that_are_missing_suggest_nothing_else(name):
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'") as e:
        getattr(tf, name)
    assert "Did you mean" not in "".join(traceback.format_exception(None, e.value, None))


@pytest.mark.parametrize("given", [int, "no type", [1]])
def test_what_is_no_type_is_named_with_its_argument(given):
    for build, argument in (
        (lambda: tf.placeholder(given), "dtype"),
        (lambda: tf.raw_ops.Cast(x=1.0, DstT=given), "DstT"),
    ):
        with pytest.raises(TypeError) as e:
            build()
        assert str(e.value) == f"Expected DataType for argument '{argument}' not {given!r}."


@pytest.mark.parametrize(
    ("build", "text"),
    [
        (
            lambda: tf.placeholder(tf.float32, "a"),
            "Error converting shape to a TensorShape: A string has ambiguous TensorShape, please wrap in a list or convert to "
            "an int: a.",
        ),
        (
            lambda: tf.raw_ops.FIFOQueueV2(component_types=["no type"]),
            "Expected DataType for argument 'component_types' not 'no type'.",
        ),
        (
            lambda: tf.raw_ops.FIFOQueueV2(component_types=[tf.float32], shapes=["a"]),
            "Error converting shapes to a TensorShape: A string has ambiguous TensorShape, please wrap in a list or convert "
            "to an int: a.",
        ),
        (
            lambda: tf.ensure_shape([1], "a"),
            "A string has ambiguous TensorShape, please wrap in a list or convert to an int: a",
        ),
    ],
)
def test_what_is_no_shape_is_named_with_its_argument(build, text):
    with pytest.raises(TypeError) as e:
        build()
    assert str(e.value) == text


@pytest.mark.parametrize("inputs", [[], (), {"a": 1.0}, {"a": 1.0}.values(), "text", None])
def test_sums_are_of_lists(inputs):
    with pytest.raises(ValueError) as e:
        tf.add_n(inputs)
    assert str(e.value) == "inputs must be a list of at least one Tensor/IndexedSlices with the same dtype and shape"


def _mistaken_types():
    raw = tf.raw_ops
    numbers, reference = tf.constant([1]), raw.VariableV2(shape=[2], dtype=tf.float32)
    return {
        "Input 'y' of 'Add' Op has type float32_ref that does not match type int32 of argument 'x'.": lambda: raw.Add(
            x=numbers, y=reference
        ),
        "Input 'y' of 'Add' Op has type int32 that does not match type float32 of argument 'x'.": lambda: raw.Add(
            x=reference, y=numbers
        ),
        "Input 'handle' of 'StackPop' Op has type float32_ref that does not match expected type of string.": lambda: (
            raw.StackPop(handle=reference, elem_type=tf.float32)
        ),
        "Tensors in list passed to 'values' of 'Pack' Op have types [int32, float32] that don't all match.": lambda: (
            raw.Pack(values=[numbers, reference])
        ),
    }


def test_references_are_told_from_values_but_in_lists():
    """As in TensorFlow 1.15.5, error messages distinguish reference dtypes, except in lists."""
    for words, mistake in _mistaken_types().items():
        with pytest.raises(TypeError) as e:
            mistake()
        assert str(e.value).split("\n")[0] == words
