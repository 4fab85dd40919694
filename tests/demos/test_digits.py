"""The demo learns, reports its progress and starts from the values that TensorFlow computes for the same program."""

import io
import re
import textwrap
from pathlib import Path

import numpy as np
import pytest
from programs import run_program, run_python

import tinytf as tf
from tinytf.demos import digits


def test_reads_new_digits(capsys, tmp_path):
    assert digits.main(str(tmp_path)) >= 0.97
    shown = capsys.readouterr().out
    assert "1438 training and 359 test images" in shown
    steps = re.findall(r"step +(\d+)/900   loss +[\d.]+ +[\d,]+ images/s +[\d.]+ s left", shown)
    assert steps == ["200", "400", "600", "800", "900"]
    assert "\r" not in shown
    assert re.search(r"total time [\d.]+ s", shown)
    matrix = [row for row in shown.splitlines() if re.match(r" +\d( +(\.|\d+)){10}$", row)]
    assert len(matrix) == 10


def _events(folder):
    """The (step, value) pairs of all scalar summaries by tag."""
    found = {}
    for file in sorted(folder.glob("events*")):
        for event in tf.train.summary_iterator(str(file)):
            for value in event.summary.value:
                found.setdefault(value.tag, []).append((event.step, value.simple_value))
    return found


def test_runs_go_on_from_each_other(capsys, tmp_path, monkeypatch):
    """A stopped run and two continued runs give the same result as one uninterrupted run."""
    monkeypatch.setattr(digits, "EPOCHS", 4)
    monkeypatch.setattr(digits, "EPOCHS_A_CHECKPOINT", 2)
    images, labels, *tests = digits.load_data()
    monkeypatch.setattr(digits, "load_data", lambda: (images[:96], labels[:96], *tests))

    def run(folder):
        with tf.Graph().as_default():
            digits.main(str(folder))
        return capsys.readouterr().out

    class Stops(digits.Progress):
        def before_run(self, run_context):
            if self.step == 6:
                raise KeyboardInterrupt
            return super().before_run(run_context)

    progress = digits.Progress
    monkeypatch.setattr(digits, "Progress", Stops)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "parts")
    monkeypatch.setattr(digits, "Progress", progress)
    assert "resuming" not in capsys.readouterr().out
    second = run(tmp_path / "parts")
    assert f"resuming from {tmp_path}/parts/model.ckpt-6, after 6 steps" in second and "step   12/12 " in second
    third = run(tmp_path / "parts")
    assert f"resuming from {tmp_path}/parts/model.ckpt-12, after 12 steps" in third and "step   24/24 " in third

    monkeypatch.setattr(digits, "EPOCHS", 8)
    run(tmp_path / "whole")
    parts, whole = _events(tmp_path / "parts"), _events(tmp_path / "whole")
    assert parts == whole and [step for step, _ in whole["loss"]] == list(range(1, 25))
    assert [step for step, _ in whole["accuracy"]] == list(range(3, 25, 3))


def test_what_it_says_of_its_files_works(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(digits, "EPOCHS", 1)
    monkeypatch.setattr(digits, "EPOCHS_A_CHECKPOINT", 1)
    folder = str(tmp_path / "run")
    digits.main(folder)
    shown = capsys.readouterr().out
    assert f"\n  tensorboard --logdir {folder}\n" in shown
    _, module, *arguments = re.search(r"\n  python (-m) (\S+) (.*)\n", shown).group(1, 2, 3)
    done = run_python("-m", module, *arguments[0].split())
    assert done.returncode == 0 and "global_step" in done.stdout, done.stderr
    code = re.search(r"in Python:\n((?:  .*\n)+)", shown).group(1)
    done = run_program(textwrap.dedent(code))
    assert done.returncode == 0 and re.fullmatch(r"(\d+ (loss|accuracy) [\d.e-]+\n){46}", done.stdout), done.stdout


def test_first_losses_are_tensorflows():
    """The losses equal TensorFlow 1.15.5's for the same code; the seeds fix the initial values and the batches."""
    images, labels, _, _ = digits.load_data()
    batches = digits.Batches(images, labels)
    model = digits.build_model(batches.images, batches.labels)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        batches.after_create_session(sess, None)
        feed = {model["images"]: images, model["labels"]: labels}
        assert sess.run(model["loss"], feed) == pytest.approx(2.847279, abs=1e-5)
        losses = digits.train(sess, model, steps=45)
    expected = [3.145090103149414, 2.335057020187378, 2.5444376468658447, 2.353999614715576, 2.341485023498535]
    np.testing.assert_allclose(losses[:5], expected, atol=2e-5)
    assert losses[-1] == pytest.approx(1.1031713, abs=1e-2)


@pytest.mark.oracle
def test_same_lines_run_on_tensorflow(oracle):
    """The program gives the same first losses on TensorFlow when only the import of `tf` is replaced."""
    source = Path(digits.__file__).read_text()
    assert source.count("\nimport tinytf as tf\n") == source.count("\nfrom tinytf.datasets import load_digits\n") == 1
    source = source.replace("\nimport tinytf as tf\n", "\n").replace(
        "\nfrom tinytf.datasets import load_digits\n", "\n"
    )
    source += """
images, labels, _, _ = load_data()
batches = Batches(images[:320], labels[:320])
model = build_model(batches.images, batches.labels)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    batches.after_create_session(sess, None)
    result = train(sess, model, steps=10)
"""
    names = {"tf": tf, "__name__": "demo", "load_digits": tf.datasets.load_digits}
    exec(source, names)
    data = tf.datasets.load_digits()
    theirs = oracle(source.replace("load_digits()", "digits_data"), digits_data=data, __name__="demo")
    np.testing.assert_allclose(names["result"][0], theirs[0], atol=1e-5)
    np.testing.assert_allclose(names["result"], theirs, atol=1e-3)


class _Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_one_live_line_on_a_terminal():
    terminal = _Terminal()
    progress = digits.Progress(tf.constant(0.0), last_step=2, stream=terminal)
    tf.train.get_or_create_global_step()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        progress.after_create_session(sess, None)
    progress.shown -= 1  # as if the last line had been printed a second ago
    for loss in (2.5, 1.5):
        progress.after_run(None, tf.train.SessionRunValues(loss, None, None))
    first, last = terminal.getvalue().split("\r")[1:]
    assert first.startswith("step    1/2   loss 2.5000") and "\n" not in first
    assert last.startswith("step    2/2   loss 1.5000") and last.endswith("0.0 s left\n")


def test_confusion_matrix_counts():
    counts = digits.confusion_matrix(np.array([0, 0, 9]), np.array([0, 1, 9]))
    assert counts.sum() == 3 and counts[0, 0] == counts[0, 1] == counts[9, 9] == 1
