"""A program ended by an error shows only its own lines and the message; each runs as a separate process."""

import os
import re
import subprocess
import sys
import textwrap

import pytest

import tinytf as tf

_PACKAGE = os.path.dirname(os.path.abspath(tf.__file__)) + os.sep
# Before 3.11 a function cannot remove its own frame from a traceback.
_OWN_FRAMES = 0 if sys.version_info >= (3, 11) else 1

_LAYERS = """
    def dense(x, units, scope):
        with tf.variable_scope(scope):
            w = tf.get_variable("w", [3, units])
            return tf.nn.relu(tf.matmul(x, w))

    def model(x):
        return dense(dense(x, 4, "first"), 5, "second")

    model(tf.placeholder(tf.float32, [None, 2]))
"""

# A program, its functions in the traceback, and the contents of the last lines.
_PROGRAMS = {
    "op": ("tf.nn.relu(tf.constant('text'))", ["<module>"], "TypeError: Value passed to parameter 'features'"),
    "raw op": ("tf.raw_ops.Relu(features='text')", ["<module>"], "TypeError: Value passed to parameter 'features'"),
    "several ops": (
        "tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3]))",
        ["<module>"],
        "ValueError: Dimensions must be equal",
    ),
    "operator": ("tf.zeros([2]) + tf.zeros([3])", ["<module>"], "ValueError: Dimensions must be equal"),
    "operator of a number": ("1.5 * tf.constant(1)", ["<module>"], "TypeError: Expected int32, got 1.5"),
    "operator of a variable": ("tf.Variable(3) + 1.5", ["<module>"], "TypeError: Input 'y' of 'AddV2' Op has type"),
    "comparison": ("tf.zeros([2]) < tf.zeros([3])", ["<module>"], "ValueError: Dimensions must be equal"),
    "index": ("tf.zeros([2])[0, 0]", ["<module>"], "ValueError: Index out of range"),
    "truth": ("if tf.constant(True): pass", ["<module>"], "OperatorNotAllowedInGraphError: using a `tf.Tensor`"),
    "constant": ("tf.constant([[1, 2], [3]])", ["<module>"], "ValueError: Argument must be a dense tensor"),
    "variable": (
        "tf.get_variable('w', [2]); tf.get_variable('w', [2])",
        ["<module>"],
        "ValueError: Variable w already",
    ),
    "loss": (
        "tf.losses.mean_squared_error(tf.zeros([2]), tf.zeros([3]))",
        ["<module>"],
        "ValueError: Shapes (3,) and (2,) are incompatible",
    ),
    "minimize": (
        "tf.train.AdamOptimizer(.1).minimize(tf.constant(1.))",
        ["<module>"],
        "ValueError: No variables to optimize.",
    ),
    "gradients": (
        "tf.gradients(tf.constant(1.), tf.constant(1.), [1, 2])",
        ["<module>"],
        "ValueError: Passed 2 grad_ys for 1 ys",
    ),
    "layers": (_LAYERS, ["<module>", "model", "dense"], "ValueError: Dimensions must be equal, but are 2 and 3"),
    "feed": (
        "x = tf.placeholder(tf.float32, [2], name='x')\ntf.Session().run(x + 1., {x: [1., 2., 3.]})",
        ["<module>"],
        "ValueError: Cannot feed value of shape (3,) for Tensor 'x:0', which has shape '(2,)'",
    ),
    "step": (
        "y = tf.check_numerics(tf.zeros([1]) / 0., 'bad')\ntf.Session().run(y)",
        ["<module>"],
        "InvalidArgumentError: bad : Tensor had NaN values",
    ),
}


def _ended(program, folder, **environment):
    """The stderr lines of a program that ends with an error."""
    file = folder / "program.py"
    file.write_text("import tinytf as tf\n" + textwrap.dedent(program))
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(file)],
        env={**os.environ, **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    return done.stderr


def _frames(text):
    """The program's functions in a traceback, and the number of frames of this package."""
    lines = [line.strip() for line in text.splitlines() if line.startswith('  File "')]
    own = [line for line in lines if line.split('"')[1].startswith(_PACKAGE)]
    return [line.rpartition(" in ")[2] for line in lines if line not in own], len(own)


@pytest.mark.parametrize("kind", _PROGRAMS)
def test_a_traceback_shows_the_program_alone(kind, tmp_path):
    program, functions, message = _PROGRAMS[kind]
    text = _ended(program, tmp_path)
    trace = re.split(r"^\S*Error: ", text, flags=re.MULTILINE)[0]  # the text after it may include the stack of a node
    seen, own = _frames(trace)
    assert seen == functions, text
    assert own <= _OWN_FRAMES, text
    assert message in text
    assert trace.count("Traceback") == 1


def test_all_frames_are_shown_on_request(tmp_path):
    text = _ended(_PROGRAMS["op"][0], tmp_path, TINYTF_FULL_TRACEBACKS="1")
    assert _frames(text)[1] >= 3


def test_mistakes_of_the_package_keep_their_frames(tmp_path):
    planted = """
        import tinytf._src.framework.apply.apply_op as module
        code = compile("def add_op(spec, name, inputs, attrs):\\n    return None.no_such_attribute\\n", module.__file__, "exec")
        exec(code, module.__dict__)
        tf.nn.relu(1.)
    """
    text = _ended(planted, tmp_path)
    assert "AttributeError: 'NoneType' object has no attribute 'no_such_attribute'" in text
    names = [line.rpartition(" in ")[2] for line in text.splitlines() if line.startswith('  File "')]
    assert names == ["<module>", "relu", "apply_op", "add_op"]


def test_causes_stay(tmp_path):
    program = """
        def double(x):
            try:
                return {}["x"]
            except KeyError as e:
                raise RuntimeError("no x") from e

        class Number:
            pass

        tf.register_tensor_conversion_function(Number, lambda value, dtype=None, name=None, as_ref=False: double(value))
        tf.nn.relu(Number())
    """
    text = _ended(program, tmp_path)
    first, between, last = text.partition("The above exception was the direct cause of the following exception")
    assert between
    assert "KeyError: 'x'" in first
    assert "RuntimeError: no x" in last
    assert _frames(last)[1] <= _OWN_FRAMES


def test_errors_while_the_program_handles_another_name_both(tmp_path):
    program = """
        try:
            {}["x"]
        except KeyError:
            tf.nn.relu("text")
    """
    text = _ended(program, tmp_path)
    first, between, last = text.partition("During handling of the above exception, another exception occurred")
    assert between
    assert "KeyError" in first
    assert "TypeError: Value passed" in last
    assert _frames(text)[1] <= _OWN_FRAMES
