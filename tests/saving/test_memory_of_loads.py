"""Reading a graph from a file holds its constants only once; memory is measured, not time."""

import pytest
from programs import run_program

_BEGIN = """
import gc, sys
import numpy as np
import tinytf as tf
import tinytf.contrib.predictor
from tinytf.python.tools import saved_model_cli

def status(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(name))

folder = {folder!r}
"""

_WRITE = """
sizes = [1 << 20] * 8 + [1 << 23]  # elements of 4 bytes: 64 MiB
with tf.Graph().as_default(), tf.Session() as sess:
    x = tf.placeholder(tf.float32, [], name="x")
    for i, size in enumerate(sizes):
        last = tf.constant(np.full([size], i, np.float32), name="c%d" % i)
    v = tf.Variable(2.0, name="v")
    y = tf.add(x * v, last[0], name="y")
    sess.run(v.initializer)
    tf.train.export_meta_graph(folder + "/large.meta")
    tf.saved_model.simple_save(sess, folder + "/large", {{"x": x}}, {{"y": y}})
with tf.Graph().as_default(), tf.Session() as sess:
    x = tf.placeholder(tf.float32, [], name="x")
    v = tf.Variable(2.0, name="v")
    y = tf.add(x * v, 1.0, name="y")
    sess.run(v.initializer)
    tf.train.export_meta_graph(folder + "/small.meta")
    tf.saved_model.simple_save(sess, folder + "/small", {{"x": x}}, {{"y": y}})
"""

_READ = """
def read(size):
    with tf.Graph().as_default(), tf.Session() as sess:
        {read}

read("small")  # loads what is needed
gc.collect()
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the peak begins anew
before = status("VmRSS")
read("large")
sys.stderr.write(str((status("VmHWM") - before) / (64 << 20)))
"""

_CLI = """sys.argv[1:] = "{command} --dir {{0}}/{{1}} {options}".format(folder, size).split()
        saved_model_cli.main()"""

_READS = {
    "import_meta_graph": 'tf.train.import_meta_graph(folder + "/" + size + ".meta")',
    "saver": """saver = tf.train.import_meta_graph(folder + "/" + size + ".meta")
        saver.restore(sess, folder + "/" + size + "/variables/variables")
        assert sess.run("y:0", {"x:0": 1.0}) == (10.0 if size == "large" else 3.0)""",
    "load": """model = tf.saved_model.load(sess, ["serve"], folder + "/" + size)
        output = model.signature_def["serving_default"].outputs["y"].name
        assert sess.run(output, {"x:0": 1.0}) == (10.0 if size == "large" else 3.0)""",
    "loader": 'tf.compat.v1.saved_model.loader.load(sess, ["serve"], folder + "/" + size, import_scope="in")',
    "predictor": """predict = tf.contrib.predictor.from_saved_model(folder + "/" + size)
        assert predict({"x": 1.0})["y"] == (10.0 if size == "large" else 3.0)""",
    "cli run": _CLI.format(
        command="run", options="--tag_set serve --signature_def serving_default --input_exprs x=1.0"
    ),
    "cli show": _CLI.format(command="show", options="--all"),
    "cli scan": _CLI.format(command="scan", options="--tag_set serve"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("models"))
    done = run_program((_BEGIN + _WRITE).format(folder=folder), timeout=300)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("read", _READS)
def test_the_peak_is_the_size_of_the_constants(read, folder):
    done = run_program(_BEGIN.format(folder=folder) + _READ.replace("{read}", _READS[read]), timeout=300)
    assert done.returncode == 0, done.stderr
    assert float(done.stderr.splitlines()[-1]) <= 1.15, done.stderr
