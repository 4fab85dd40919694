"""Executing a notebook cell again warns that the graph contains its variables twice."""

import sys
import types
import zlib

import pytest

import tinytf as tf

KERNEL = "/tmp/ipykernel_{number}/{text}.py"
TERMINAL = "<ipython-input-{number}-{text}>"
MODEL = "def layer(x):\n    return x * tf.Variable(2.0, name='w')\n\ny = layer(tf.constant(1.0))\n"
RUN = "sess.run(tf.global_variables_initializer())\nprint(sess.run(y))\n"


@pytest.fixture(autouse=True)
def ipython(monkeypatch):
    monkeypatch.setitem(sys.modules, "IPython", types.ModuleType("IPython"))


@pytest.fixture(params=[KERNEL, TERMINAL], ids=["kernel", "terminal"])
def notebook(request):
    """`notebook(cell)` executes source as IPython does: compiled each time, with a file name derived from the
    source.
    """
    with tf.Session() as sess:
        names = {"tf": tf, "sess": sess}
        executed = 0

        def execute(cell):
            nonlocal executed
            executed += request.param is TERMINAL
            file = request.param.format(number=executed, text=zlib.crc32(cell.encode()))
            exec(compile(cell, file, "exec"), names)

        yield execute


@pytest.fixture
def hints(caplog):
    return lambda: [r.getMessage() for r in caplog.records if "notebook cell" in r.getMessage()]


def test_a_model_that_is_made_twice(notebook, hints):
    for cell in (MODEL, RUN):
        notebook(cell)
    assert not hints()
    for cell in (MODEL, RUN, MODEL, RUN):
        notebook(cell)
    (hint,) = hints()
    assert "w_1 was created by the same line as w." in hint and "tf.reset_default_graph()" in hint


def test_a_model_that_is_made_twice_before_it_runs(notebook, hints):
    for cell in (MODEL, MODEL, RUN):
        notebook(cell)
    assert len(hints()) == 1


def test_cells_that_make_no_variables_may_be_executed_again(notebook, hints):
    for cell in (MODEL, RUN, "print(sess.run(y + 1.0))", "print(sess.run(y + 1.0))", RUN):
        notebook(cell)
    assert not hints()


def test_several_variables_of_one_line(notebook, hints):
    for cell in (MODEL + "for _ in range(3):\n    y = layer(y)\n", RUN, MODEL + "y = y + 1.0\n", RUN):
        notebook(cell)
    assert not hints()


def test_outside_of_notebooks(hints):
    with tf.Session() as sess:
        for _ in range(2):
            exec(compile(MODEL + RUN, "model.py", "exec"), {"tf": tf, "sess": sess})
    assert not hints()
