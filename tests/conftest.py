"""What every test gets: a fresh default graph, a look at what it left behind, and TensorFlow, where there is one."""

import os

# A fork stops the threads of OpenBLAS, and the next product starts them again: some test would be blamed for that.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

# isort: split
import contextvars
import gc
import pickle
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest
from memory_folder import memory_folder

import tinytf as tf
from tinytf import _core
from tinytf._src.framework.execution import eager_mode
from tinytf._src.session import lifetime, local_servers

# Python interpreters that have TensorFlow, by the fixture that asks them: 2.x, and 1.15, which decides.
_ORACLES = {"oracle": os.environ.get("TINYTF_ORACLE"), "oracle1": os.environ.get("TINYTF_ORACLE1")}
_PROTOCOL = 4  # of the pickles for oracles: the newest that Python 3.7 reads
_FAILED = pytest.StashKey[bool]()
_SETTLE_SECONDS = 2.0  # how long background work of a test may take to finish after it

# What a shell starts in the background ignores Ctrl-C: the programs that tests start would, too.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _threads():
    """The number of threads of this process, those of the core included, but for one reaper: the process's own eager session
    has one from when it first needs it, and may need it anew."""
    if not os.path.isdir("/proc/self/task"):
        return 0
    names = [_thread_name(thread) for thread in os.listdir("/proc/self/task")]
    return len(names) - ("tinytf-reaper" in names)


def _thread_name(thread):
    try:
        return Path("/proc/self/task", thread, "comm").read_text().strip()
    except OSError:
        return ""  # it has ended meanwhile


def _entered():
    """Names of the package's context variables that say something: a mode, session, graph, scope or tape was entered."""
    context = contextvars.copy_context()
    return [
        f"an entry in {variable.name}"
        for variable in context
        if variable.name.startswith("tinytf") and context[variable]
    ]


def _left_behind(buffers, threads):
    """What is alive beyond the given numbers, as a sentence; an empty string if nothing is."""
    found = _entered()
    if _core.live_buffers() > buffers:
        found.append(f"{_core.live_buffers() - buffers} tensor buffers")
    if _threads() > threads:
        found.append(f"{_threads() - threads} threads")
    return " and ".join(found)


@pytest.fixture(scope="session", autouse=True)
def _started_pool():
    """Starts the process-wide thread pool, which outlives the tests, so that no test is blamed for it."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [1024, 1024])
        sess.run(tf.matmul(x, x), {x: np.ones([1024, 1024], np.float32)})  # large enough to be split
    gc.collect()
    gc.freeze()  # what exists by now stays: collections after each test look at that test's objects only


@pytest.fixture(scope="session")
def eager_session_of_the_process():
    """Starts its thread, which outlives the tests, so that no test is blamed for it."""
    with eager_mode():
        tf.Variable(1.0)


@pytest.fixture
def memory_path():
    """As `tmp_path`, where files cost little, if there is such a place."""
    with tempfile.TemporaryDirectory(dir=memory_folder()) as folder:
        yield Path(folder).resolve()


@pytest.fixture
def what_programs_leave():
    """Is put in order: the log, which programs look at, sessions that they have not closed, writers, servers."""
    logger = tf.get_logger()
    before = logger.level, list(logger.handlers), logger.propagate
    yield
    logger.setLevel(before[0])
    logger.handlers[:], logger.propagate = before[1:]
    for session in lifetime.open_sessions():
        session.close()
    tf.summary.FileWriterCache.clear()
    for server in list(local_servers._servers.values()):
        server.stop(0)


@pytest.fixture(autouse=True)
def _clean_state(_started_pool, request):
    """A fresh default graph before; afterwards no live buffer and no thread that was not there before.

    A test that keeps something on purpose says so: `@pytest.mark.keeps_state`.
    """
    tf.reset_default_graph()
    buffers, threads = _core.live_buffers(), _threads()
    yield
    if request.node.get_closest_marker("keeps_state") or request.node.stash.get(_FAILED, False):
        return  # the traceback of a failed test keeps its locals alive
    request.node.funcargs.clear()  # what other fixtures made, a session for example, is not held by pytest any longer
    tf.reset_default_graph()
    request.node.funcargs.clear()  # pytest would keep the fixtures' values until after this check
    if not _left_behind(buffers, threads):
        return
    gc.collect()
    deadline = time.monotonic() + _SETTLE_SECONDS
    while (leak := _left_behind(buffers, threads)) and time.monotonic() < deadline:
        time.sleep(0.01)
        gc.collect()
    gc.freeze()  # else each collection walks over what pytest knows of all the tests before
    if leak:
        pytest.fail(f"the test leaves {leak} behind", pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Remembers for `_clean_state` that a test failed."""
    report = yield
    if report.failed:
        item.stash[_FAILED] = True
    return report


def pytest_collection_modifyitems(config, items):
    """Tests that ask an oracle which is not there, or need hooks which the module lacks, are deselected as groups, not
    skipped one by one."""
    cannot = {item for item in items if not (_can_ask(item) and _can_hook(item))}
    if cannot:
        config.hook.pytest_deselected(items=list(cannot))
        items[:] = [item for item in items if item not in cannot]


def _can_ask(item):
    """Whether all oracles are there that a test asks."""
    if not item.get_closest_marker("oracle"):
        return True
    return all(_ORACLES[name] for name in _ORACLES if name in item.fixturenames)


def _can_hook(item):
    """Whether the module has the hooks that a test needs: by its mark, or through a fixture."""
    needs = item.get_closest_marker("hooks") or "hooks" in item.fixturenames
    return not needs or hasattr(_core, "testing")


@pytest.fixture(scope="session")
def hooks():
    """What tests hold the engine with, look at and let fail: `_core.testing`."""
    return _core.testing


@pytest.fixture(scope="session")
def oracle():
    """`oracle(source, **inputs)`: what the program leaves in `result` when TensorFlow 2 runs it.

    For tests marked `oracle`. The source finds `tf` (`tensorflow.compat.v1`) and the inputs defined, and a
    fresh default graph; arguments and result are whatever pickle carries.
    """
    yield from _worker("oracle")


@pytest.fixture(scope="session")
def oracle1():
    """As `oracle`, on TensorFlow 1.15: `tf` is `tensorflow`, Python is 3.7 and NumPy 1.18."""
    yield from _worker("oracle1")


def _worker(name):
    """Starts an oracle as a process and yields the function that asks it."""
    worker = Path(__file__).with_name("oracle_worker.py")
    process = subprocess.Popen([_ORACLES[name], worker], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(source, **inputs):
        pickle.dump((source, inputs), process.stdin, protocol=_PROTOCOL)
        process.stdin.flush()
        result, error = pickle.load(process.stdout)
        if error:
            pytest.fail(f"TensorFlow itself fails:\n{error}", pytrace=False)
        return result

    yield run
    process.stdin.close()
    process.stdout.close()
    process.wait()
