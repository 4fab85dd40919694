"""Public names are loaded on first use: they are listed before, available afterwards, and independent of the
loading order.
"""

import pickle
import subprocess
import sys

import pytest

import tinytf as tf


def run(program, folder):
    """Runs code in a new process that has only imported the package."""
    program = f"import sys\nimport tinytf as tf\n{program}"
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_name_is_loaded_once(tmp_path):
    run(
        "assert 'Session' in dir(tf) and 'Session' not in vars(tf) and 'tinytf._src.session' not in sys.modules\n"
        "session = tf.Session\n"
        "assert vars(tf)['Session'] is session is sys.modules['tinytf._src.session.session'].Session\n"
        "assert 'relu' in dir(tf.nn) and 'relu' not in vars(tf.nn)\n"
        "assert tf.nn.relu is vars(tf.nn)['relu']\n",
        tmp_path,
    )


@pytest.mark.parametrize("module", [tf, tf.math, tf.io.gfile], ids=lambda m: m.__name__)
def test_names_that_do_not_exist(module):
    with pytest.raises(AttributeError, match=f"module '{module.__name__}' has no attribute 'never'"):
        module.never  # noqa: B018
    assert not hasattr(module, "__path__no") and "never" not in dir(module)


def test_a_star_imports_what_is_public():
    names = {}
    exec("from tinytf import *", names)
    del names["__builtins__"]
    assert set(names) == {name for name in dir(tf) if name[0] != "_"} | {"__version__"}
    assert all(value is getattr(tf, name) for name, value in names.items())
    names = {}
    exec("from tinytf.nest import *", names)
    assert {"flatten", "map_structure"} <= set(names) and names["flatten"] is tf.nest.flatten


def test_rooms_are_no_public_names():
    import tinytf._src.profiler.trace

    assert tinytf._src.profiler.trace is not None
    assert not {"insight", "framework", "api", "exports"} & set(dir(tf))


def test_a_room_does_not_take_the_place_of_a_name(tmp_path):
    run("import tinytf._src.gradients.math_grad\nassert callable(tf.gradients)", tmp_path)
    run("from tinytf import gradients\nassert gradients is tf.gradients and callable(gradients)", tmp_path)


def test_what_a_program_sets_stays(tmp_path):
    run("tf.Session = 3\ntf.mine = 4\nassert tf.Session == 3\nassert 'mine' in dir(tf)", tmp_path)


def test_namespaces_are_modules(tmp_path):
    run(
        "import tinytf.nn, tinytf.io.gfile, tinytf.compat.v1 as v1\n"
        "from tinytf.train import AdamOptimizer\n"
        "from tinytf.compat.v1 import Session\n"
        "assert v1 is tf and Session is tf.Session and AdamOptimizer is tf.train.AdamOptimizer\n"
        "assert tf.app.flags is tf.flags and tinytf.io.gfile.glob is tf.io.gfile.glob\n",
        tmp_path,
    )


def test_pickles_find_what_nobody_has_used(tmp_path):
    values = (tf.float32, tf.TensorShape([1, None]), tf.nn.relu, tf.Session, tf.errors.NotFoundError)
    (tmp_path / "values").write_bytes(pickle.dumps(values))
    run(
        "import pickle\n"
        "found = pickle.load(open('values', 'rb'))\n"
        "assert found[0] is tf.float32 and found[1].as_list() == [1, None]\n"
        "assert found[2:] == (tf.nn.relu, tf.Session, tf.errors.NotFoundError)\n",
        tmp_path,
    )


# Effects of loading a module that a program can rely on without naming that module.
_PROGRAMS = {
    "operators": "x = tf.constant(1)\nassert [y.op.type for y in (x + 1, 2 - x, x < 2, -x)] == ['AddV2', 'Sub', 'Less', 'Neg']",
    "operators of values": "with tf.EagerSession():\n    x = tf.constant(3)\n    assert int(x * 2) == 6 and bool(-x < x)",
    "slices": "assert tf.placeholder(tf.float32, [3, 4])[1, :2].shape.as_list() == [2]",
    "lists of tensors": "assert tf.convert_to_tensor([tf.constant(1), 2]).op.type == 'Pack'",
    "variables": "v = tf.Variable(1.0)\nassert tf.convert_to_tensor(v).dtype == tf.float32 and (v + 1).op.type == 'AddV2'",
    "variables in scopes": "v = tf.get_variable('v', [2])\nassert tf.get_variable_scope().name == '' and v[0].shape.rank == 0",
    "partitioned variables": (
        "v = tf.get_variable('v', [4], partitioner=tf.fixed_size_partitioner(2))\n"
        "assert tf.convert_to_tensor(v).shape.as_list() == [4]"
    ),
    "feeds": (
        "v = tf.Variable(1.0)\nw = v * 2\nwith tf.Session() as sess:\n    assert sess.run(w, {v: 5.0}) == 10.0\n"
        "    sess.run(v.initializer)\n    assert sess.run(v) == 1.0"
    ),
    "gradients": "x = tf.constant(3.0)\n(g,) = tf.gradients(x * x, x)\nassert tf.Session().run(g) == 6.0",
    "gradients of gathers": (
        "v = tf.Variable([1.0, 2.0])\n(g,) = tf.gradients(tf.gather(v, [1]), v)\n"
        "assert tf.convert_to_tensor(g).shape.rank == 1 and isinstance(g, tf.IndexedSlices)"
    ),
    "tapes": (
        "tf.enable_eager_execution()\nv = tf.Variable(3.0)\nwith tf.GradientTape() as tape:\n    y = v * v\n"
        "assert float(tape.gradient(y, v)) == 6.0"
    ),
    "errors": (
        "try:\n    tf.Session().run(tf.check_numerics(tf.constant(1.0) / 0, 'no'))\n"
        "except tf.errors.InvalidArgumentError as e:\n    assert 'Tensor had Inf' in e.message and e.op.name in e.message"
    ),
    "sparse tensors": (
        "s = tf.SparseTensor([[0]], [2.0], [3])\nassert isinstance(s * tf.ones([3]), tf.SparseTensor)\n"
        "assert isinstance(tf.square(s), tf.SparseTensor)"
    ),
    "functions": "tf.enable_eager_execution()\nassert int(tf.function(lambda x: x + 1)(tf.constant(1))) == 2",
    "functions of Python": "assert tf.Session().run(tf.py_func(lambda x: x + x, [1.0], tf.float32)) == 2.0",
    "functions of Python that are gone": (
        "message = tf.GraphDef()\nnode = message.node.add(name='p', op='PyFunc')\nnode.attr['token'].s = b'pyfunc_0'\n"
        "node.attr['Tin'].list.SetInParent()\nnode.attr['Tout'].list.type.append(1)\n"
        "(p,) = tf.import_graph_def(message, return_elements=['p:0'])\n"
        "try:\n    tf.Session().run(p)\nexcept tf.errors.InvalidArgumentError as e:\n"
        "    assert 'pyfunc_0 is not found' in e.message"
    ),
    "optimizers": (
        "v = tf.Variable(1.0)\nstep = tf.train.GradientDescentOptimizer(0.5).minimize(v * v)\n"
        "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n    sess.run(step)\n"
        "    assert sess.run(v) == 0.0"
    ),
    "graphs from messages": (
        "tf.constant(1.0, name='c')\nmessage = tf.get_default_graph().as_graph_def()\ntf.reset_default_graph()\n"
        "(c,) = tf.import_graph_def(message, return_elements=['c:0'])\nassert tf.Session().run(c) == 1.0"
    ),
    "messages": "assert tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)).gpu_options.allow_growth",
    "shapes": "assert tf.convert_to_tensor(tf.TensorShape([2])).dtype == tf.int32",
    "logging": "tf.logging.set_verbosity(tf.logging.ERROR)\nassert tf.get_logger().name == 'tinytf'",
}


@pytest.mark.parametrize("what", _PROGRAMS)
def test_what_loading_sets_up_is_there_in_time(what, tmp_path):
    run(_PROGRAMS[what], tmp_path)


def test_threads_may_be_the_first(tmp_path):
    run(
        "import threading\n"
        "names = 'nn.relu reduce_sum Session train.AdamOptimizer gradients losses.log_loss matmul test.TestCase'.split()\n"
        "start, found = threading.Barrier(len(names)), []\n"
        "def use(name):\n"
        "    start.wait()\n"
        "    value = tf\n"
        "    for part in name.split('.'):\n"
        "        value = getattr(value, part)\n"
        "    found.append((tf.zeros([2]) + 1, value))\n"
        "threads = [threading.Thread(target=use, args=[name]) for name in names]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
        "assert len(found) == len(names)\n",
        tmp_path,
    )
