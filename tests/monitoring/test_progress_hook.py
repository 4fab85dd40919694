"""Progress is shown as lines, as one changing line, or by tqdm."""

import io
import re
import sys
import types

import pytest

import tinytf as tf
from tinytf._src.monitored_session import progress_hook


class _Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def _no_tqdm(monkeypatch):
    find = progress_hook.importlib.util.find_spec
    monkeypatch.setattr(progress_hook.importlib.util, "find_spec", lambda name: None if name == "tqdm" else find(name))


def _train(steps, **more):
    step = tf.train.get_or_create_global_step()
    up = tf.assign_add(step, 1)
    loss = tf.cast(step, tf.float32) * 0.0 + 2.5
    more = {"last_step": steps, "tensors": {"loss": loss}, **more}
    hooks = [tf.train.StopAtStepHook(last_step=steps), tf.experimental.ProgressHook(**more)]
    with tf.train.MonitoredSession(hooks=hooks) as sess:
        while not sess.should_stop():
            sess.run(up)


def test_lines_for_files():
    shown = io.StringIO()
    _train(5, every_secs=0, stream=shown)
    lines = shown.getvalue().splitlines()
    assert lines[0] == "step 0/5"
    assert re.fullmatch(r"step \d/5   loss 2.5   [\d.,e+]+ steps/s( +\d+:\d\d left)?", lines[2])
    assert lines[-1].startswith("step 5/5   loss 2.5   ")
    assert "\r" not in shown.getvalue()


def test_lines_are_rare_in_files():
    shown = io.StringIO()
    _train(50, stream=shown)
    assert [line.split()[1] for line in shown.getvalue().splitlines()] == ["0/50", "50/50"]


def test_one_line_on_terminals(_no_tqdm):
    shown = _Terminal()
    _train(5, every_secs=0, stream=shown)
    first, *_, last = shown.getvalue().split("\r")[1:]
    assert first == "step 0/5"
    assert last.startswith("step 5/5   loss 2.5") and last.endswith("\n")
    assert shown.getvalue().count("\n") == 1


def test_an_end_that_is_not_known():
    shown = io.StringIO()
    _train(5, every_secs=0, stream=shown, last_step=None)
    assert shown.getvalue().splitlines()[-1].startswith("step 5   loss 2.5")


def test_notebooks_are_watched(_no_tqdm):
    kind = type("OutStream", (io.StringIO,), {"__module__": "ipykernel.iostream"})
    shown = kind()
    _train(5, every_secs=0, stream=shown)
    assert shown.getvalue().count("\r") >= 5


@pytest.mark.parametrize("widgets", [False, True])
def test_tqdm_where_it_is_installed(widgets, monkeypatch):
    told = []

    class Bar:
        def __init__(self, **arguments):
            told.append(arguments)
            self.n = arguments["initial"]

        def update(self, by):
            self.n += by

        def set_postfix(self, values, refresh):
            told.append(values)

        def refresh(self):
            pass

        def close(self):
            told.append(("closed", self.n))

    find = progress_hook.importlib.util.find_spec
    there = {"tqdm": True, "ipywidgets": widgets or None}
    monkeypatch.setattr(
        progress_hook.importlib.util, "find_spec", lambda name: there[name] if name in there else find(name)
    )
    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    kind = types.ModuleType("tqdm." + ("auto" if widgets else "std"))
    kind.tqdm = Bar
    monkeypatch.setitem(sys.modules, kind.__name__, kind)
    shown = _Terminal()
    _train(5, every_secs=0, stream=shown)
    assert (told[0]["total"], told[0]["initial"], told[0]["file"]) == (5, 0, shown)
    assert {"loss": "2.5"} in told
    assert told[-1] == ("closed", 5)


def test_a_training_that_goes_on_and_one_that_was_lost(tmp_path):
    step = tf.train.get_or_create_global_step()
    up = tf.assign_add(step, 1)
    shown = io.StringIO()
    losses = []

    class Loses(tf.train.SessionRunHook):
        def before_run(self, run_context):
            if losses:
                raise losses.pop()

    for _ in range(2):
        hooks = [tf.experimental.ProgressHook(every_secs=0, stream=shown), Loses()]
        with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), hooks=hooks) as sess:
            sess.run(up)
            losses.append(tf.errors.AbortedError(None, None, "gone"))
            sess.run(up)
    steps = [int(line.split()[1]) for line in shown.getvalue().splitlines()]
    assert steps[0] == 0 and steps.count(0) == 2  # the first session, and the session after the loss
    assert steps[-1] == 2


def test_values_that_are_not_fed_are_not_shown():
    step = tf.train.get_or_create_global_step()
    up, x = tf.assign_add(step, 1), tf.placeholder(tf.float32, [], name="x")
    shown = io.StringIO()
    hook = tf.experimental.ProgressHook(tensors={"x": "x"}, every_secs=0, stream=shown)
    with tf.train.MonitoredSession(hooks=[hook]) as sess:
        sess.run(up)
        sess.run(up, {x: 4.0})
    lines = shown.getvalue().splitlines()
    assert "x 4" not in lines[1] and "x 4" in lines[2]


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "1"), ("a word", "b'a word'"), ([1.0, 2.0], "[1. 2.]"), (1234.5678, "1235"), (None, "None")],
)
def test_values_of_all_kinds_are_shown(value, text):
    shown = io.StringIO()
    tensor = tf.no_op() if value is None else tf.constant(value)
    _train(3, every_secs=0, stream=shown, tensors={"it": tensor})
    assert f"it {text} " in shown.getvalue().splitlines()[-1]
