"""`tf.contrib.framework`, `tf.contrib.util` and other graph helpers behave as in TensorFlow 1.15."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

import tinytf as tf
from tinytf.contrib import framework


def test_every_exported_name_exists():
    for module in (framework, tf.contrib.util):
        assert all(hasattr(module, name) for name in module.__all__)
    assert framework.nest.flatten is tf.nest.flatten


def test_argument_scopes_belong_to_a_thread():
    function = framework.add_arg_scope(lambda a=1: a)
    found = []
    with framework.arg_scope([function], a=5):
        thread = threading.Thread(target=lambda: found.append(function()))
        thread.start()
        thread.join()
        found.append(function())
    assert found == [1, 5]


def test_argument_scopes_end_with_an_error():
    function = framework.add_arg_scope(lambda a=1: a)
    with pytest.raises(KeyError), framework.arg_scope([function], a=5):
        raise KeyError
    assert function() == 1 and framework.current_arg_scope() == {}


def _use(function):
    for _ in range(2):
        function(1, a=2)


def test_deprecations_warn_once_for_a_function(caplog):
    _use(framework.deprecated("2030-01-02", "Use another.")(lambda x, a=0: x))
    _use(framework.deprecated_args(None, "No a.", "a")(lambda x, a=0: x))
    _use(framework.deprecated_args(None, "No a.", ("a", 2))(lambda x, a=0: x))
    _use(framework.deprecated_arg_values(None, "Not 2.", a=2)(lambda x, a=0: x))
    _use(framework.deprecated_arg_values(None, "Not 3.", a=3)(lambda x, a=0: x))
    texts = [record.getMessage() for record in caplog.records]
    assert len(texts) == 3 and all(text.startswith(f"From {__file__}:") for text in texts)
    assert "is deprecated and will be removed after 2030-01-02.\nInstructions for updating:\nUse another." in texts[0]
    assert "with a is deprecated" in texts[1] and "with a=2 is deprecated" in texts[2]


def test_conditions_that_are_not_known():
    p = tf.placeholder(tf.bool, [])
    chosen = framework.smart_cond(p, lambda: 1, lambda: 2)
    cases = framework.smart_case(
        [(False, lambda: 1), (p, lambda: 2), (tf.constant(True), lambda: 3)], default=lambda: 4
    )
    assert framework.smart_case([(False, lambda: 1), (True, lambda: 2)], default=lambda: 3) == 2
    with tf.Session() as sess:
        assert [sess.run([chosen, cases], {p: value}) for value in (True, False)] == [[1, 2], [2, 3]]
    for pairs, says in (
        ([(1, int)], "pred must be a Tensor or bool, got: 1"),
        ([(True, 1)], "fn for pred True must be"),
    ):
        with pytest.raises(TypeError, match=says):
            framework.smart_case(pairs)


def test_values_of_other_graphs():
    inside = tf.constant(1)
    with tf.Graph().as_default():
        outside = tf.constant(2)
    with pytest.raises(ValueError, match="not from the passed-in graph"):
        framework.get_graph_from_inputs([inside, outside])


def test_the_logger():
    tf.logging.set_verbosity(tf.logging.get_verbosity())
    assert tf.get_logger().name == "tinytf"


def test_where_the_package_is():
    folder = Path(tf.__file__).parent
    assert tf.sysconfig.get_lib() == str(folder) and tf.sysconfig.get_include() == str(folder / "include")
    assert tf.sysconfig.get_link_flags() == [f"-L{folder}"]
    assert tf.sysconfig.get_compile_flags()[0] == f"-I{folder / 'include'}"
    assert tf.sysconfig.CXX11_ABI_FLAG == tf.CXX11_ABI_FLAG and tf.sysconfig.MONOLITHIC_BUILD == tf.MONOLITHIC_BUILD
    assert tf.COMPILER_VERSION == tf.version.COMPILER_VERSION


def test_resources_lie_beside_the_module(tmp_path):
    module = tmp_path / "somewhere" / "module.py"
    module.parent.mkdir()
    module.write_text(
        "import tinytf as tf\n"
        "print(tf.resource_loader.get_data_files_path(), tf.resource_loader.get_path_to_datafile('x.txt'))\n"
    )
    done = subprocess.run([sys.executable, str(module)], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.split() == [str(module.parent), str(module.parent / "x.txt")]
    assert b"tinytf" in tf.resource_loader.load_resource("version.py")
    with pytest.raises(FileNotFoundError):
        tf.resource_loader.load_resource("no_such_file")
