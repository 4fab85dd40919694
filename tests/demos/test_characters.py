"""The demo learns to write text, in agreement with TensorFlow 1.15.5."""

import io
import re
from pathlib import Path

import numpy as np
import pytest

import tinytf as tf
from tinytf.demos import characters

_LOSSES = [4.236222, 4.152731, 4.067520, 3.988609, 3.898659, 3.757325, 3.669324, 3.540720, 3.446859, 3.345448]
_WRITTEN = ["Alice 'gMfyVT'CSelL(FtBRv!", "Alice  tgnte  bhis  dt it st nt lnhd idd tn n "]
_ASK = """
alphabet, streams = load_data()
model = build_model(len(alphabet), units=32)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    before = write(sess, model, alphabet, 20)
    losses = train_epoch(sess, model, streams[:, :401])
    result = losses, [before, write(sess, model, alphabet, 40)]
"""


def _lines():
    source = Path(characters.__file__).read_text()
    for taken in ("\nimport tinytf as tf\n", "\nfrom tinytf.datasets import load_alice\n"):
        assert source.count(taken) == 1
        source = source.replace(taken, "\n")
    return source + _ASK


def test_it_starts_as_with_tensorflow():
    """Losses and text equal TensorFlow 1.15.5's; the graph's seed fixes the initial values."""
    names = {"tf": tf, "__name__": "demo", "load_alice": tf.datasets.load_alice}
    exec(_lines(), names)
    losses, written = names["result"]
    np.testing.assert_allclose(losses, _LOSSES, atol=2e-5)
    assert written == _WRITTEN


@pytest.mark.oracle
def test_the_numbers_are_tensorflows(oracle1):
    source = _lines().replace("load_alice()", "alice")
    losses, written = oracle1(source, alice=tf.datasets.load_alice(), __name__="demo")
    np.testing.assert_allclose(losses, _LOSSES, atol=1e-5)
    assert written == _WRITTEN


def test_it_learns_and_shows_what_it_writes(capsys):
    assert characters.main(epochs=2, units=48) < 2.5
    shown = capsys.readouterr().out
    assert "45,312 characters of text, 67 distinct ones; LSTM with 48 units" in shown
    lines = re.findall(r"^ *(\d+)% of the training   loss [\d.]+ +[\d,]+ characters/s +[\d.]+ s left$", shown, re.M)
    assert lines == ["50", "100"] and "\r" not in shown
    read, samples = (
        re.findall(r"Sample of its text after (.*):", shown),
        re.split(r"Sample of its text after .*:", shown),
    )
    assert read == ["1 epoch", "2 epochs"]
    assert all(sample.startswith("\n\n    Alice ") for sample in samples[1:])
    assert re.search(r"total time [\d.]+ s", shown)


def test_streams_are_the_text():
    alphabet, streams = characters.load_data()
    text = "".join(alphabet[code] for code in streams.ravel())
    assert tf.datasets.load_alice().startswith(text) and len(text) > 45_300


class _Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_one_live_line_on_a_terminal():
    terminal = _Terminal()
    progress = characters.Progress(total=100, stream=terminal)
    progress.shown -= 1  # as if the last line had been printed a second ago
    progress(2.5, 50)
    progress(1.5, 50)
    progress.show(1, "abc")
    first, last = terminal.getvalue().split("\r")[1:]
    assert first.startswith(" 50% of the training   loss 2.500") and "\n" not in first
    assert last.startswith("100% of the training   loss 2.480")
    assert last.endswith("\n\nSample of its text after 1 epoch:\n\n    abc\n\n")
