"""Programs that say `import tensorflow` run unchanged, and can be checked for missing names before they run."""

import pytest
from programs import run_python

import tinytf as tf
from tinytf._src.api.program_check import missing_in

PROGRAM = """
import sys
import tensorflow as tf
import tensorflow.compat.v1 as tf1
import tensorflow.python.client
from tensorflow.python.framework import ops
from helper import three
import tinytf

assert tf is tf1 is tinytf and tinytf.__spec__.name == "tinytf" and ops.Graph is tf.Graph
assert (__name__, sys.argv[1:]) == ("__main__", ["--flag", "x"])
with tf.Session() as sess:
    print(tf.__version__, sess.run(tf.constant(1) + three))
try:
    import tensorflow.layers
except ModuleNotFoundError as e:
    print(e.name, e)
"""


def test_a_program_runs(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "helper.py").write_text("import tensorflow as tf\nthree = tf.constant(3)\n")
    done = run_python("-m", "tinytf", str(tmp_path / "program.py"), "--flag", "x")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "1.15.5 4",
        "tensorflow.layers No module named 'tensorflow.layers': tf.layers of TensorFlow 1.15 is not implemented yet",
    ]


def test_messages_are_those_of_a_logger_called_tensorflow(tmp_path):
    """Programs silence this logger or read its records."""
    (tmp_path / "program.py").write_text(
        "import logging, tensorflow as tf\n"
        "said = logging.getLogger('tensorflow')\n"
        "assert said is tf.get_logger() and said.name == 'tensorflow' and logging.getLogger('tensorflow.x').parent is said\n"
        "tf.logging.warning('heard')\n"
        "said.setLevel(logging.ERROR)\n"
        "tf.logging.warning('not heard')\n"
        "said.propagate, said.disabled = False, True\n"
        "tf.logging.error('nor this')\n"
    )
    done = run_python("-m", "tinytf", "program.py", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "WARNING:tensorflow:heard\n")


def test_the_exit_status_is_the_programs(tmp_path):
    (tmp_path / "program.py").write_text("import tensorflow, sys\nsys.exit(7)\n")
    assert run_python("-m", "tinytf", "program.py", cwd=tmp_path).returncode == 7


def test_tensorflow_itself_is_not_replaced(tmp_path):
    (tmp_path / "tensorflow.py").write_text("")
    program = "import tensorflow\ntry:\n    from tinytf import as_tensorflow\nexcept RuntimeError as e:\n    print(e)\n"
    done = run_python("-c", program, cwd=tmp_path)
    assert done.stdout == "TensorFlow itself has already been imported in this process\n", done.stderr


def test_installing_twice_is_installing_once():
    program = (
        "import sys\nfrom tinytf import as_tensorflow\n"
        "assert as_tensorflow.install() is as_tensorflow.install()\n"
        "import tensorflow.no.such\n"
    )
    done = run_python("-c", program)
    assert (
        "ModuleNotFoundError: No module named 'tensorflow.no': neither tinytf nor TensorFlow 1.15 has tf.no"
        in done.stderr
    )


@pytest.mark.parametrize(
    ("program", "missing"),
    [
        ("import tensorflow as tf\ntf.nn.relu(tf.zeros([2]).shape.foo)\ntf.Session().no\ntf.float32.no\n", []),
        ("import tensorflow as tf\n\ntf.layers.dense(tf.layers.dense(1))\n", [(3, "tf.layers.dense")]),
        ("import tensorflow.compat.v1 as t\nt.io.decode_jpeg\n", [(2, "tf.io.decode_jpeg")]),
        ("import tensorflow\ntensorflow.layers.x = 1\n", [(2, "tf.layers.x")]),
        ("from tensorflow import layers as L\nL.dense\n", [(1, "tf.layers"), (2, "tf.layers.dense")]),
        ("from tensorflow.nn import relu, ctc_loss\n", [(1, "tf.nn.ctc_loss")]),
        ("from tensorflow.layers import *\n", [(1, "tf.layers")]),
        ("from .tensorflow import layers\nimport numpy as np\nnp.layers\n", []),
        ("def f():\n    import tensorflow as tf\n    return tf.Graph.no_method\n", [(3, "tf.Graph.no_method")]),
        ("from tensorflow.core.framework import graph_pb2, no_pb2\n", [(1, "tf.core.framework.no_pb2")]),
        ("from tensorflow.python.training.adam import AdamOptimizer, no\n", [(1, "tf.python.training.adam.no")]),
        (
            "from tensorflow.python.training import adam\nadam.AdamOptimizer\nadam.no",
            [(3, "tf.python.training.adam.no")],
        ),
        (
            "from tensorflow.contrib.framework.python.ops import variables as v\nv.no\n",
            [(2, "tf.contrib.framework.python.ops.variables.no")],
        ),
    ],
)
def test_what_is_missing(program, missing):
    assert [(m.line, m.name) for m in missing_in(program, tf)] == missing


def test_asking(tmp_path):
    (tmp_path / "a.py").write_text("import tensorflow as tf\ntf.layers\ntf.keras\ntf.contrib.seq2seq\ntf.typo\n")
    (tmp_path / "b.py").write_text("import tensorflow as tf\ntf.Session\n")
    done = run_python("-m", "tinytf", "--check", "a.py", "b.py", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "a.py:2: tf.layers: tf.layers of TensorFlow 1.15 is not implemented yet",
        "a.py:3: tf.keras: tf.keras of TensorFlow 1.15 is not part of tinytf",
        "a.py:4: tf.contrib.seq2seq: tf.contrib.seq2seq of TensorFlow 1.15 is not implemented yet",
        "a.py:5: tf.typo: neither tinytf nor TensorFlow 1.15 has tf.typo",
        "b.py: all names that it uses exist in tinytf",
    ]
    assert run_python("-m", "tinytf", "--check", "b.py", cwd=tmp_path).returncode == 0


_LOGGERS = """
import logging, sys
first = logging.getLogger("tensorflow")
first.setLevel(logging.INFO)
first.addHandler(logging.FileHandler("before.log"))
below = logging.getLogger("tensorflow.mine")
import tensorflow as tf
log = logging.getLogger("tensorflow")
print(log is tf.get_logger(), log.name, below.parent is log, len(log.handlers))
tf.logging.info("one")
below.info("two")
log.addHandler(logging.FileHandler("after.log"))
tf.logging.info("three")
log.setLevel(logging.ERROR)
tf.logging.warning("not this one")
log.handlers[-1].setFormatter(logging.Formatter("%(name)s %(message)s"))
tf.logging.error("four")
log.disabled = True
tf.logging.error("nor this one")
print(tf.logging.get_verbosity())
for name in ("before.log", "after.log"):
    print(open(name).read().split("\\n"))
"""


def test_loggers_go_by_tensorflows_name(tmp_path):
    """Loggers behave as in TensorFlow 1.15.5."""
    (tmp_path / "program.py").write_text(_LOGGERS)
    done = run_python("-m", "tinytf", "program.py", cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "True tensorflow True 2",
        "40",
        "['one', 'two', 'three', 'four', '']",
        "['three', 'tensorflow four', '']",
    ], done.stderr
    assert done.stderr.splitlines() == [
        "INFO:tensorflow:one",
        "INFO:tensorflow.mine:two",
        "INFO:tensorflow:three",
        "ERROR:tensorflow:four",
    ]


def test_a_notebook_that_installs_it_late_keeps_what_was_set_up():
    program = (
        "import logging, tinytf\ntinytf.logging.set_verbosity(tinytf.logging.INFO)\n"
        "from tinytf import as_tensorflow\nas_tensorflow.install()\nas_tensorflow.install()\n"
        "import tensorflow as tf\ntf.logging.info('seen')\nprint(logging.getLogger('tensorflow').level)\n"
        "assert logging.getLogger('tinytf') is logging.getLogger('tensorflow')\n"
    )
    done = run_python("-c", program)
    assert (done.stdout, done.stderr) == ("20\n", "INFO:tensorflow:seen\n")


@pytest.mark.parametrize("line", ["import tinytf.as_tensorflow", "from tinytf import as_tensorflow"])
def test_importing_the_module_is_enough(line):
    done = run_python("-c", f"{line}\nimport tensorflow as tf\nprint(tf.__version__)\n")
    assert done.stdout == "1.15.5\n", done.stderr


def test_pytest_takes_the_module_as_a_plugin(tmp_path):
    (tmp_path / "test_it.py").write_text("import tensorflow as tf\ndef test_it(): assert tf.__version__ == '1.15.5'\n")
    done = run_python("-m", "pytest", "-q", "-p", "tinytf.as_tensorflow", "-p", "no:cacheprovider", cwd=tmp_path)
    assert "1 passed" in done.stdout, done.stdout + done.stderr


def test_classes_say_that_they_are_of_tensorflow():
    """Libraries choose their backend by the module of a class, and pickles find the class again."""
    program = """
import pickle, tinytf.as_tensorflow
import tensorflow as tf
v = tf.Variable(1.0)
made = tf.constant(1.0), tf.TensorShape([1]), v, tf.train.AdamOptimizer(), tf.nn.rnn_cell.LSTMCell(2)
print([type(x).__module__ for x in made])
print(type(tf.train.SessionRunArgs(v)).__module__, type(tf.get_default_graph()._names).__module__)
for value in (tf.TensorShape([1, 2]), tf.Dimension(3), tf.float32, tf.SparseTensorValue([[0]], [1.0], [1])):
    assert pickle.loads(pickle.dumps(value)) == value
"""
    done = run_python("-c", program)
    assert done.stdout.splitlines() == [
        "['tensorflow.python.framework.ops', 'tensorflow.python.framework.tensor_shape', "
        "'tensorflow._src.variables.ref_variable', 'tensorflow.python.training.adam', 'tensorflow.python.ops.rnn_cell_impl']",
        "tensorflow.python.training.session_run_hook tensorflow._src.framework.graph.names",
    ], done.stderr


@pytest.mark.parametrize("root", ["tensorflow", "tinytf"])
@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            "from {}.contrib import slim",
            "cannot import name 'slim' from 'tinytf.contrib': tf.contrib.slim of TensorFlow 1.15 is not implemented yet",
        ),
        (
            "from {} import keras",
            "cannot import name 'keras' from 'tinytf': tf.keras of TensorFlow 1.15 is not part of",
        ),
        ("from {}.nn import ctc_loss", "'tinytf.nn': tf.nn.ctc_loss of TensorFlow 1.15 is not implemented yet"),
        ("from {}.python.ops import no_such", "'tinytf.python.ops': tinytf has no tf.python.ops.no_such"),
    ],
)
def test_imports_of_names_say_why_they_fail(root, line, says):
    done = run_python("-c", f"import tinytf.as_tensorflow\n{line.format(root)}\n")
    assert "ImportError" in done.stderr and says in done.stderr


def test_imports_of_missing_names_are_caught_as_import_errors():
    program = """
import importlib.util, tinytf
try:
    from tinytf.contrib import slim
except ImportError as e:
    print(e.name)
print(importlib.util.find_spec("tinytf.contrib.slim"), hasattr(tinytf.contrib, "slim"))
"""
    done = run_python("-c", program)
    assert done.stdout == "tinytf.contrib\nNone False\n", done.stderr
