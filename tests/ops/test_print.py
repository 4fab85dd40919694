"""tf.Print and tf.print write to the sys.stdout or sys.stderr that is set when the graph runs."""

import contextlib
import io
import logging
import re
import subprocess
import sys
import threading
from collections import OrderedDict, namedtuple

import numpy as np
import pytest

import tinytf as tf

Point = namedtuple("Point", "x y")


def _run(fetch):
    with tf.Session() as sess:
        sess.run(fetch)


def _printed(capsys, **arguments):
    _run(tf.Print(tf.constant(1), **arguments))
    out, err = capsys.readouterr()
    assert out == "" and err.endswith("\n")
    return err[:-1]


@pytest.mark.parametrize(
    ("data", "options", "expected"),
    [
        ([[1.5, 2.0, 3.0, 4.0]], {"message": "m: "}, "m: [1.5 2 3...]"),
        ([[[1, 2], [3, 4]], 'a"b\n', ["x", "y"]], {}, '[[1 2][3...]...][a\\"b\\n][x y]'),
        ([[[1, 2], [3, 4]], True, [True, False]], {"summarize": 10}, "[[1 2][3 4]][1][1 0]"),
        ([[[[1, 2], [3, 4]]] * 2], {"summarize": 5}, "[[[1 2][3 4]][[1...]]...]"),
        ([np.zeros([0]), np.zeros([2, 0])], {}, "[][]"),
        ([[1 + 2j]], {}, "[?]"),
        (
            [np.float32([1 / 3, 1e20, np.inf, -np.inf, np.nan, -0.0, 1e-5, 100000, 1234567])],
            {"summarize": -1},
            "[0.333333343 1e+20 inf -inf nan -0 1e-05 100000 1234567]",
        ),
        ([np.array([1 / 3, 0.1])], {}, "[0.33333333333333331 0.1]"),
        ([np.float16([0.1]), np.uint8([250]), np.int8([-7])], {}, "[0.0999755859][250][-7]"),
        ([5], {"summarize": 0}, "[...]"),
        ([1, 2.5, "z"], {"message": ""}, "[1][2.5][z]"),
        ([], {"message": "only"}, "only"),
    ],
)
def test_print_shows_values(capsys, data, options, expected):
    assert _printed(capsys, data=data, **options) == expected


def test_print_returns_its_input_and_stops_after_first_n(capsys):
    x = tf.placeholder(tf.float32, [2])
    y = tf.Print(x, [x], "x = ", first_n=2)
    assert y.shape.as_list() == [2] and y.op.type == "Print"
    with tf.Session() as sess:
        for i in range(4):
            np.testing.assert_array_equal(sess.run(y, {x: [i, 1]}), [i, 1])
    assert capsys.readouterr().err == "x = [0 1]\nx = [1 1]\n"


def test_print_passes_gradients_on():
    x = tf.constant([2.0, 3.0])
    (dx,) = tf.gradients(tf.Print(x, [x]) ** 2, x)
    with tf.Session() as sess, contextlib.redirect_stderr(io.StringIO()):
        np.testing.assert_array_equal(sess.run(dx), [4, 6])


EIGHT = """[[0 1 2 ... 5 6 7]
 [8 9 10 ... 13 14 15]
 [16 17 18 ... 21 22 23]
 ...
 [40 41 42 ... 45 46 47]
 [48 49 50 ... 53 54 55]
 [56 57 58 ... 61 62 63]]
"""


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: tf.print("hello"), "hello\n"),
        (lambda: tf.print(), "\n"),
        (lambda: tf.print("a", tf.range(1, 10), 3, True, None, 2.5), "a [1 2 3 ... 7 8 9] 3 True None 2.5\n"),
        (lambda: tf.print(tf.constant([[1.5, 2], [3, 4]]), summarize=1), "[[1.5 2]\n [3 4]]\n"),
        (lambda: tf.print(tf.reshape(tf.range(64), [8, 8])), EIGHT),
        (lambda: tf.print(tf.reshape(tf.range(8), [2, 2, 2])), "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]\n"),
        (lambda: tf.print(tf.range(8), summarize=-1), "[0 1 2 3 4 5 6 7]\n"),
        (
            lambda: tf.print({"b": tf.constant(1), "a": [tf.constant("x"), (1, 2)]}, "z", sep=" | "),
            "{'a': [\"x\", (1, 2)], 'b': 1} | z\n",
        ),
        (
            lambda: tf.print(OrderedDict([("b", tf.constant(1)), ("a", tf.constant(2))])),
            f"{OrderedDict([('b', 1), ('a', 2)])}\n",
        ),
        (lambda: tf.print(Point(tf.constant(1), "y")), "Point(x=1, y='y')\n"),
        (lambda: tf.print(tf.constant("s"), tf.constant(["x", "y z"]), end="$\n"), '"s" ["x" "y z"]$\n'),
        (lambda: tf.print(tf.constant('raw "text"')), 'raw "text"\n'),
        (lambda: tf.print("{}", tf.constant(1), "%s"), "{} 1 %s\n"),
        (
            lambda: tf.print(tf.SparseTensor([[0, 1]], [2.5], [2, 2])),
            "'SparseTensor(indices=[[0 1]], values=[2.5], shape=[2 2])'\n",
        ),
        (lambda: tf.print(tf.zeros([0]), tf.zeros([2, 0]), tf.constant(1 + 2j)), "[] [\n ...] ?\n"),
        (lambda: tf.print(np.arange(3)), "array([0, 1, 2])\n"),
    ],
)
def test_print_v2_shows_values(capsys, make, expected):
    _run(make())
    out, err = capsys.readouterr()
    assert (out, err) == ("", expected)


def test_print_v2_of_a_variable(capsys):
    v = tf.Variable([1, 2])
    shown = tf.print("v is", v)
    with tf.Session() as sess:
        sess.run(v.initializer)
        sess.run(shown)
    assert capsys.readouterr().err == "v is [1 2]\n"


def test_print_v2_nodes():
    op = tf.print("a", tf.constant(1), {"k": tf.constant([2])}, summarize=4, name="shown")
    nodes = {n.name: n for n in tf.get_default_graph().as_graph_def().node}
    assert op.type == "PrintV2" and list(nodes["shown"].input) == ["shown_format"]
    template = nodes["shown_format"]
    assert list(template.input) == ["Const", "Const_1"]
    assert template.attr["template"].s == b"a {} {'k': {}}"
    assert (template.attr["placeholder"].s, template.attr["summarize"].i) == (b"{}", 4)


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (lambda: sys.stdout, ("t\n", "")),
        (lambda: sys.stderr, ("", "t\n")),
    ],
)
def test_output_streams(capsys, stream, expected):
    _run(tf.print("t", output_stream=stream()))
    assert tuple(capsys.readouterr()) == expected


@pytest.mark.parametrize(
    ("stream", "level"),
    [
        (lambda: logging.INFO, "I"),
        (lambda: logging.error, "E"),
        (lambda: tf.logging.info, "I"),
        (lambda: tf.logging.warning, "W"),
        (lambda: tf.logging.warn, "W"),
        (lambda: tf.logging.error, "E"),
    ],
)
def test_logs_get_a_line_that_begins_with_time_and_level(capsys, stream, level):
    _run(tf.print("t", output_stream=stream()))
    out, err = capsys.readouterr()
    line = rf"\d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{{6}}: {level} \S+\.cc:\d+\] t\n\n"
    assert out == "" and re.fullmatch(line, err)


def test_output_to_a_file_is_appended(tmp_path):
    shown = tf.print("line", output_stream=f"file://{tmp_path}/log.txt")
    with tf.Session() as sess:
        sess.run(shown)
        sess.run(shown)
    assert (tmp_path / "log.txt").read_text() == "line\nline\n"


def test_print_v2_refuses():
    with pytest.raises(ValueError, match="Unsupported output stream, logging level, or file.nowhere. Supported"):
        tf.print("x", output_stream="nowhere")
    with pytest.raises(ValueError, match="Unrecognized keyword arguments for tf.print: {'file': 1}"):
        tf.print("x", file=1)


def test_format():
    text = tf.strings.format("{} of {}", (tf.constant([1, 2]), tf.constant("x")))
    one = tf.strings.format("<%>", tf.range(9), placeholder="%", summarize=1)
    with tf.Session() as sess:
        assert sess.run([text, one]) == [b'[1 2] of "x"', b"<[0 ... 8]>"]
    assert text.shape.as_list() == []
    with pytest.raises(
        ValueError, match=r"2 placeholder\(s\) in template does not match 1 tensor\(s\) provided as input"
    ):
        tf.strings.format("{} {}", tf.constant(1))
    with pytest.raises(ValueError, match="num placeholders in template and num inputs must match: 2 vs. 1 for 'Str"):
        tf.raw_ops.StringFormat(inputs=[1], template="%s %s")


def test_the_stream_is_that_of_the_run():
    shown = tf.print("é", output_stream=sys.stdout)
    first, second = io.StringIO(), io.StringIO()
    with tf.Session() as sess:
        for stream in (first, second, second):
            with contextlib.redirect_stdout(stream):
                sess.run(shown)
    assert (first.getvalue(), second.getvalue()) == ("é\n", "é\né\n")


def test_bytes_that_are_no_text():
    with contextlib.redirect_stderr(io.StringIO()) as stream:
        _run(tf.print(tf.constant(b"a\xff")))
    assert stream.getvalue() == "a\\xff\n"


class _Broken(io.StringIO):
    def write(self, text):
        raise OSError("no space left")


@pytest.mark.parametrize("stream", [_Broken(), None])
def test_a_stream_that_fails_loses_nothing(capfd, stream):
    with contextlib.redirect_stderr(stream):
        _run(tf.print("kept"))
    assert capfd.readouterr().err == "kept\n"


def test_prints_of_many_threads_stay_whole():
    x = tf.placeholder(tf.int32, [])
    shown = [tf.print("value", x, i) for i in range(8)]
    stream = io.StringIO()
    with tf.Session() as sess, contextlib.redirect_stderr(stream):
        threads = [threading.Thread(target=lambda t=t: [sess.run(shown, {x: t}) for _ in range(10)]) for t in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    lines = stream.getvalue().splitlines()
    assert sorted(lines) == sorted(f"value {t} {i}" for t in range(4) for i in range(8) for _ in range(10))


_PROGRAM = """
import sys, threading
import tinytf as tf
y = tf.Print(tf.constant(1), ["to stderr"])
shown = tf.print("to stdout", output_stream=sys.stdout)
sess = tf.Session()
sess.run([y, shown])
thread = threading.Thread(target=lambda: [sess.run([y, shown]) for _ in range(100)])
thread.start()
"""


def test_nothing_is_lost_at_exit(tmp_path):
    done = subprocess.run([sys.executable, "-c", _PROGRAM], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "to stdout\n" * 101, "[to stderr]\n" * 101)


_INTERRUPTED = """
import sys
import tinytf as tf
class Stream:
    def write(self, text):
        raise KeyboardInterrupt
sess, shown = tf.Session(), tf.print("x", output_stream=sys.stdout)
process, sys.stdout = sys.stdout, Stream()
try:
    sess.run(shown)
    for _ in range(1000):
        pass
except KeyboardInterrupt:
    sys.stdout = process
    print("interrupted")
"""


def test_an_interrupt_while_printing_reaches_the_program(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", _INTERRUPTED], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")
