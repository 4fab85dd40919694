"""tf.enable_v2_behavior; each case runs in a separate process, because the choice is per process."""

from programs import run_program


def _run(program):
    done = run_program(f"import tinytf as tf\n{program}")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


_REPORT = "print(tf.executing_eagerly(), tf.zeros([2, 3]).shape[0], tf.resource_variables_enabled())\n"


def test_on_and_off():
    lines = _run(
        f"tf.enable_v2_behavior()\n{_REPORT}tf.compat.v1.disable_v2_behavior()\n{_REPORT}print(repr(tf.zeros([2]).shape[0]))"
    )
    assert lines == ["True 2 True", "False 2 False", "Dimension(2)"]


def test_shapes_alone():
    lines = _run(
        "tf.enable_v2_tensorshape()\nprint(repr(tf.zeros([2]).shape[0]), tf.executing_eagerly())\n"
        "tf.disable_v2_tensorshape()\nprint(repr(tf.zeros([2]).shape[0]))"
    )
    assert lines == ["2 False", "Dimension(2)"]


def test_it_must_be_called_at_the_start():
    lines = _run("tf.constant(1)\ntry:\n  tf.enable_v2_behavior()\nexcept ValueError as e:\n  print(e)")
    assert lines == ["tf.enable_eager_execution must be called at program startup."]
