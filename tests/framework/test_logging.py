"""`tf.logging`: TensorFlow's functions on the Python logger `tinytf`."""

import logging
import subprocess
import sys

import pytest

import tinytf as tf

LEVELS = {"DEBUG": 10, "INFO": 20, "WARN": 30, "ERROR": 40, "FATAL": 50}


@pytest.fixture
def logged(caplog):
    """A function that returns everything logged since its last call as (level, text, file), at all levels."""

    def since():
        records = [(r.levelno, r.getMessage(), r.pathname) for r in caplog.records if r.name == "tinytf"]
        caplog.clear()
        return records

    with caplog.at_level(logging.DEBUG, "tinytf"):
        yield since


@pytest.fixture
def printed(tmp_path):
    """A function that returns the stdout and stderr of a program in a new process."""

    def run(program):
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout, done.stderr

    return run


def test_levels():
    assert {name: getattr(tf.logging, name) for name in LEVELS} == LEVELS


@pytest.mark.parametrize(
    ("function", "level"),
    [("debug", 10), ("info", 20), ("warn", 30), ("warning", 30), ("error", 40), ("fatal", 50)],
)
def test_functions_with_a_level(logged, function, level):
    getattr(tf.logging, function)("%d of %s", 3, "four")
    assert logged() == [(level, "3 of four", __file__)]


@pytest.mark.parametrize("function", ["log", "vlog"])
def test_functions_that_take_a_level(logged, function):
    getattr(tf.logging, function)(tf.logging.INFO, "step %d", 7)
    assert logged() == [(20, "step 7", __file__)]


def test_status_messages_are_errors(logged):
    tf.logging.TaskLevelStatusMessage("on fire")
    assert logged() == [(40, "on fire", __file__)]


def test_under_a_condition(logged):
    for i in range(4):
        tf.logging.log_if(tf.logging.WARN, "%d is odd", i % 2, i)
    assert logged() == [(30, "1 is odd", __file__), (30, "3 is odd", __file__)]


def test_some_of_many(logged):
    """Each calling line has its own counter."""
    for i in range(7):
        tf.logging.log_every_n(tf.logging.INFO, "every %d", 3, i)
        tf.logging.log_first_n(tf.logging.INFO, "first %d", 2, i)
    texts = [text for _, text, file in logged() if file == __file__]
    assert texts == ["every 0", "first 0", "first 1", "every 3", "every 6"]


def test_verbosity(logged, caplog):
    assert tf.logging.get_verbosity() == logging.getLogger("tinytf").level == 10
    tf.logging.set_verbosity(tf.logging.ERROR)
    tf.logging.warning("unimportant")
    assert not logged() and tf.logging.get_verbosity() == 40


def test_flush_reaches_the_handlers(monkeypatch):
    flushed = []
    handler = logging.NullHandler()
    monkeypatch.setattr(handler, "flush", lambda: flushed.append(1))
    logger = logging.getLogger("tinytf")
    logger.addHandler(handler)
    try:
        tf.logging.flush()
    finally:
        logger.removeHandler(handler)
    assert flushed


def test_what_nobody_handles_is_printed_from_warnings_on(printed):
    out, err = printed(
        "import tinytf as tf\ntf.logging.info('no')\ntf.logging.warning('w %d', 1)\ntf.logging.error('e')\n"
    )
    assert (out, err) == ("", "WARNING:tinytf:w 1\nERROR:tinytf:e\n")


def test_what_nobody_handles_is_printed_as_verbosity_says(printed):
    program = (
        "import tinytf as tf\ntf.logging.set_verbosity(tf.logging.INFO)\ntf.logging.info('i')\ntf.logging.debug('d')\n"
    )
    assert printed(program) == ("", "INFO:tinytf:i\n")


@pytest.mark.parametrize("before", [True, False])
def test_a_program_that_sets_up_logging_gets_each_message_once(printed, before):
    set_up = "logging.basicConfig(level=logging.INFO, format='mine: %(message)s')\n"
    use = "tf.logging.get_verbosity()\n"
    program = (
        f"import logging\nimport tinytf as tf\n{set_up + use if before else use + set_up}tf.logging.info('once')\n"
    )
    assert printed(program) == ("", "mine: once\n")


@pytest.mark.parametrize(
    "set_up", ["logging.basicConfig(filename='log')", "tf.get_logger().addHandler(logging.FileHandler('log'))"]
)
def test_a_file_that_keeps_the_log_does_not_hide_it(printed, tmp_path, set_up):
    program = (
        f"import logging, os\nimport tinytf as tf\nos.chdir({str(tmp_path)!r})\n{set_up}\ntf.logging.warning('both')\n"
        "print('both' in open('log').read())\n"
    )
    assert printed(program) == ("True\n", "WARNING:tinytf:both\n")


def test_interactive_shells_print_infos_to_the_output(printed):
    out, _ = printed(
        "import sys\nsys.ps1 = '> '\nimport tinytf as tf\ntf.logging.info('seen')\ntf.logging.debug('no')\n"
    )
    assert out == "INFO:tinytf:seen\n"


def test_where_else_it_stands():
    from tinytf.python.platform import tf_logging

    assert tf.logging is tf.compat.v1.logging
    assert tf_logging.info is tf.logging.info


def test_importing_the_package_does_not_load_it(printed):
    program = (
        "import sys, tinytf as tf\n"
        "assert 'tinytf._src.framework.logs.tf_logging' not in sys.modules and 'logging' in dir(tf)"
    )
    assert printed(program) == ("", "")
