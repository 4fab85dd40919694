"""The program that shows how far a compilation is."""

import io
import sys

import pytest

from tinytf._src.tools.compile_progress import Progress, run


def _shown(lines, in_place=False):
    """The output after (seconds, line) pairs."""
    out = io.StringIO()
    progress = Progress(out, in_place)
    for seconds, line in lines:
        progress.see(line, seconds)
    progress.end()
    return out.getvalue()


def test_a_line_is_printed_for_each_tenth():
    text = _shown((i, f"  [{i}/100] Building CXX object {i}.o\n") for i in range(1, 101))
    assert text.count("\n") == 10
    assert text.startswith("  compiled 10 of 100 (10 %), about ")
    assert text.endswith("  compiled 100 of 100 (100 %)\n")


@pytest.mark.parametrize(
    ("seconds", "left"), [(10, "about 10 seconds"), (89, "about 89 seconds"), (100, "about 2 minutes")]
)
def test_the_rest_is_estimated_from_the_speed_so_far(seconds, left):
    text = _shown([(0, "[1/100] a"), (seconds, "[50/100] b")])
    assert text.splitlines()[-1] == f"  compiled 50 of 100 (50 %), {left} left"


def test_each_build_has_a_speed_of_its_own():
    text = _shown([(0, "[1/400] a"), (1000, "[400/400] b"), (1000, "[0/40] c"), (1010, "[20/40] d")])
    assert text.splitlines()[-1] == "  compiled 20 of 40 (50 %), about 10 seconds left"


def test_small_builds_and_other_lines_show_nothing():
    assert _shown([(0, "[1/2] Re-checking globbed directories"), (1, "Processing /tinytf"), (2, "a [3/100] b")]) == ""


def test_a_terminal_has_one_line():
    text = _shown([(0, "[1/100] a"), (1, "[2/100] b"), (10, "[10/100] c")], in_place=True)
    assert text.count("\n") == 1
    assert text.split("\r\033[K")[-1] == "  compiled 10 of 100 (10 %), about 2 minutes left\n"


def test_failures_show_what_the_command_said():
    program = "import sys; print('[1/100] one'); print('wrong', file=sys.stderr); sys.exit(3)"
    out, errors = io.StringIO(), io.StringIO()
    assert run([sys.executable, "-c", program], Progress(out, False), errors) == 3
    assert sorted(errors.getvalue().splitlines()) == ["[1/100] one", "wrong"]


def test_errors_are_shown_before_many_warnings():
    program = "print('a.cc:1: error: no'); print(*('warning',) * 500, sep='\\n'); raise SystemExit(3)"
    errors = io.StringIO()
    assert run([sys.executable, "-c", program], Progress(io.StringIO(), False), errors) == 3
    lines = errors.getvalue().splitlines()
    assert lines[0] == "a.cc:1: error: no" and len(lines) == 201


def test_successes_show_nothing_but_progress():
    out, errors = io.StringIO(), io.StringIO()
    assert run([sys.executable, "-c", "print('[50/100] x'); print('done')"], Progress(out, False), errors) == 0
    assert out.getvalue() == "  compiled 50 of 100 (50 %), about 0 seconds left\n"
    assert errors.getvalue() == ""
