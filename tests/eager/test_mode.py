"""tf.enable_eager_execution; each case runs in a separate process, because the choice is per process."""

import pytest
from programs import run_program

import tinytf as tf
from tinytf._src.framework.context.execution import eager_mode, graph_mode


def _run(program, *flags):
    source = f"import tinytf as tf\n{program}"
    done = run_program(source, flags=flags)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


_REPORT = """
def report(function):
    try:
        print(function())
    except Exception as e:
        print(type(e).__name__, str(e).replace("\\n", "|"))
"""


def test_operations_are_executed_once_enabled():
    program = """
print(tf.executing_eagerly())
tf.enable_eager_execution()
tf.enable_eager_execution()
print(tf.executing_eagerly(), (tf.constant([1, 2]) * 3).numpy().tolist())
with tf.Graph().as_default(), tf.Session() as sess:
    print(tf.executing_eagerly(), sess.run(tf.constant(2) + 1))
print(tf.executing_eagerly(), tf.compat.v1.enable_eager_execution is tf.enable_eager_execution)
"""
    assert _run(program) == ["False", "True [3, 6]", "False 3", "True True"]


def test_it_must_be_called_at_the_start():
    late = "ValueError tf.enable_eager_execution must be called at program startup."
    for use in ("tf.constant(1)", "tf.get_default_graph()", "tf.set_random_seed(1)"):
        assert _run(_REPORT + use + "\nreport(tf.enable_eager_execution)\nprint(tf.executing_eagerly())") == [
            late,
            "False",
        ]
    program = (
        "with tf.Graph().as_default():\n    tf.constant(1)\ntf.enable_eager_execution()\nprint(tf.executing_eagerly())"
    )
    assert _run(program) == ["True"]
    program = "tf.constant(1)\ntf.reset_default_graph()\ntf.enable_eager_execution()\nprint(tf.executing_eagerly())"
    assert _run(program) == ["True"]


def test_arguments_are_checked():
    program = """
report(lambda: tf.enable_eager_execution(config=3))
report(lambda: tf.enable_eager_execution(config=tf.GraphDef()))
report(lambda: tf.enable_eager_execution(device_policy=7))
report(lambda: tf.enable_eager_execution(execution_mode=2))
print(tf.executing_eagerly())
"""
    assert _run(_REPORT + program) == [
        "TypeError config must be a tf.ConfigProto, but got <class 'int'>",
        f"TypeError config must be a tf.ConfigProto, but got {tf.GraphDef}",
        "ValueError device_policy must be one of None, tf.contrib.eager.DEVICE_PLACEMENT_EXPLICIT, "
        "tf.contrib.eager.DEVICE_PLACEMENT_WARN, tf.contrib.eager.DEVICE_PLACEMENT_SILENT",
        "ValueError execution_mode must be one of None, tf.contrib.eager.SYNC, tf.contrib.eager.ASYNC",
        "False",
    ]


def test_options_are_those_of_the_default_session():
    program = """
from tinytf._src.eager import mode
config = tf.ConfigProto(intra_op_parallelism_threads=1)
tf.enable_eager_execution(config, mode.DEVICE_PLACEMENT_WARN, mode.ASYNC)
session = tf.EagerSession.get_default()
print(session.is_async, session.device_placement_policy.name)
x = tf.constant(1.0)
for _ in range(100):
    x = x + 1.0
print(x.numpy())
"""
    assert _run(program) == ["True WARN", "101.0"]


def test_options_of_a_session_that_exists():
    program = """
from tinytf._src.eager import mode
tf.EagerSession.init_default(tf.EagerSession.options().async_(True))
report(lambda: tf.enable_eager_execution(execution_mode=mode.SYNC))
report(lambda: tf.enable_eager_execution(execution_mode=mode.ASYNC))
print(tf.executing_eagerly())
"""
    lines = _run(_REPORT + program)
    assert lines[0].startswith(
        "ValueError Trying to change the options of an active eager execution. Context config: None"
    )
    assert lines[1:] == ["None", "True"]


def test_all_threads_execute():
    program = """
import threading
tf.enable_eager_execution()
thread = threading.Thread(target=lambda: print(tf.executing_eagerly(), (tf.constant(1) + 1).numpy()))
thread.start()
thread.join()
"""
    assert _run(program) == ["True 2"]


def test_it_can_be_disabled():
    program = """
tf.enable_eager_execution()
tf.disable_eager_execution()
print(tf.executing_eagerly(), tf.constant(1).op.type)
"""
    assert _run(program) == ["False Const"]


def test_the_graph_of_a_session_gets_nodes():
    program = """
tf.enable_eager_execution()
with tf.Session() as sess:
    print(tf.executing_eagerly(), sess.run(tf.constant(2.0) * 2))
print(tf.executing_eagerly())
"""
    assert _run(program) == ["False 4.0", "True"]


def test_importing_loads_nothing_of_it():
    program = "import sys\nprint(sorted(name for name in sys.modules if name.startswith('tinytf._src.eager')))"
    assert _run(program) == ["[]"]


@pytest.mark.parametrize("mode", [eager_mode, graph_mode])
def test_modes_nest(mode):
    with eager_mode():
        with mode():
            assert tf.executing_eagerly() is (mode is eager_mode)
        assert tf.executing_eagerly()
    assert not tf.executing_eagerly()


def test_init_scope_in_a_graph():
    with tf.name_scope("outer"):
        first = tf.constant(1)
        with tf.control_dependencies([first]), tf.device("/cpu:0"):
            with tf.init_scope():
                initial = tf.constant(2)
            inner = tf.constant(3)
    assert initial.op.control_inputs == [] and inner.op.control_inputs == [first.op]
    assert initial.name.startswith("outer/") and initial.device == inner.device == "/device:CPU:0"


def test_init_scope_hides_from_tapes(eager):
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        with tf.init_scope():
            z = x * x
    assert tape.gradient(y, x).numpy() == 6
    assert tape.gradient(z, x) is None
