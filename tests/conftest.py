"""Fixtures of all tests: a fresh default graph, a check for leaked buffers and threads, and the TensorFlow oracles."""

import os

# A fork stops OpenBLAS threads and the next product restarts them, which the leak check would attribute to some test.
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

import hypothesis
import numpy as np
import pytest
from memory_folder import memory_folder

import tinytf as tf
from tinytf import _core
from tinytf._src.framework.context.execution import eager_mode
from tinytf._src.session import lifetime, local_servers

# Python interpreters that have TensorFlow, by the name of the fixture: 2.x, and 1.15, which is authoritative.
# Times decide about no test: this machine may be busy with others.
hypothesis.settings.register_profile("untimed", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("untimed")

_ORACLES = {"oracle": os.environ.get("TINYTF_ORACLE"), "oracle1": os.environ.get("TINYTF_ORACLE1")}
_PROTOCOL = 4  # pickle protocol for oracles; the newest that Python 3.7 reads
_FAILED = pytest.StashKey[bool]()
_SETTLE_SECONDS = 2.0  # how long background work of a test may continue after it

# A process that a shell starts in the background ignores SIGINT, and so would the programs that tests start.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _threads():
    """The number of threads of this process, including the engine's, but without one reaper: the eager session of
    the process starts it on first use and may restart it.
    """
    if not os.path.isdir("/proc/self/task"):
        return 0
    names = [_thread_name(thread) for thread in os.listdir("/proc/self/task")]
    return len(names) - ("tinytf-reaper" in names)


def _thread_name(thread):
    try:
        return Path("/proc/self/task", thread, "comm").read_text().strip()
    except OSError:
        return ""  # the thread ended meanwhile


def _entered():
    """Names of the package's context variables that are set: a mode, session, graph, scope or tape was entered and
    not left.
    """
    context = contextvars.copy_context()
    return [
        f"an entry in {variable.name}"
        for variable in context
        if variable.name.startswith("tinytf") and context[variable]
    ]


def _left_behind(buffers, threads):
    """Describes the buffers, threads and context entries beyond the given numbers; an empty string if there are
    none.
    """
    found = _entered()
    if _core.live_buffers() > buffers:
        found.append(f"{_core.live_buffers() - buffers} tensor buffers")
    if _threads() > threads:
        found.append(f"{_threads() - threads} threads")
    return " and ".join(found)


@pytest.fixture(scope="session", autouse=True)
def _started_pool():
    """Starts the process-wide thread pool, which outlives the tests, so that the leak check does not attribute it
    to a test.
    """
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [1024, 1024])
        sess.run(tf.matmul(x, x), {x: np.ones([1024, 1024], np.float32)})  # large enough to run on several threads
    gc.collect()
    gc.freeze()  # later collections only traverse objects created by tests


@pytest.fixture(scope="session")
def eager_session_of_the_process():
    """Starts the reaper thread of the process's eager session, so that the leak check does not attribute it to a
    test.
    """
    with eager_mode():
        tf.Variable(1.0)


@pytest.fixture
def memory_path():
    """Like `tmp_path`, but in a memory-backed folder if there is one."""
    with tempfile.TemporaryDirectory(dir=memory_folder()) as folder:
        yield Path(folder).resolve()


@pytest.fixture
def what_programs_leave():
    """Restores the logger and closes sessions, writers and servers that a program left open."""
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
    """Sets up a fresh default graph, and checks afterwards that the test left no live buffer and no thread.

    A test that keeps state on purpose is marked `@pytest.mark.keeps_state`.
    """
    tf.reset_default_graph()
    buffers, threads = _core.live_buffers(), _threads()
    yield
    if request.node.get_closest_marker("keeps_state") or request.node.stash.get(_FAILED, False):
        return  # the traceback of a failed test keeps its locals alive
    request.node.funcargs.clear()  # releases the values of other fixtures, such as sessions, that pytest holds
    tf.reset_default_graph()
    request.node.funcargs.clear()  # pytest would keep the values of fixtures until after this check
    if not _left_behind(buffers, threads):
        return
    gc.collect()
    deadline = time.monotonic() + _SETTLE_SECONDS
    while (leak := _left_behind(buffers, threads)) and time.monotonic() < deadline:
        time.sleep(0.01)
        gc.collect()
    gc.freeze()  # otherwise each collection traverses pytest's records of all earlier tests
    if leak:
        pytest.fail(f"the test leaves {leak} behind", pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Records a failure for `_clean_state`."""
    report = yield
    if report.failed:
        item.stash[_FAILED] = True
    return report


def pytest_collection_modifyitems(config, items):
    """Deselects tests that need a missing oracle, or hooks that the module was built without, instead of skipping
    each.
    """
    cannot = {item for item in items if not (_can_ask(item) and _can_hook(item))}
    if cannot:
        config.hook.pytest_deselected(items=list(cannot))
        items[:] = [item for item in items if item not in cannot]


def _can_ask(item):
    """Whether all oracles that a test uses are installed."""
    if not item.get_closest_marker("oracle"):
        return True
    return all(_ORACLES[name] for name in _ORACLES if name in item.fixturenames)


def _can_hook(item):
    """Whether the module has the hooks that a test requests by a mark or a fixture."""
    needs = item.get_closest_marker("hooks") or "hooks" in item.fixturenames
    return not needs or hasattr(_core, "testing")


@pytest.fixture(scope="session")
def hooks():
    """The engine's test hooks, `_core.testing`: they pause it, inspect it and inject failures."""
    return _core.testing


@pytest.fixture(scope="session")
def oracle():
    """`oracle(source, **inputs)` runs the source in TensorFlow 2 and returns the value of its variable `result`.

    For tests marked `oracle`. The source finds `tf` (`tensorflow.compat.v1`), the inputs and a fresh default graph;
    arguments and result must be picklable.
    """
    yield from _worker("oracle")


@pytest.fixture(scope="session")
def oracle1():
    """Like `oracle`, but with TensorFlow 1.15: `tf` is `tensorflow`, with Python 3.7 and NumPy 1.18."""
    yield from _worker("oracle1")


def _worker(name):
    """Starts the process of an oracle and yields the function that sends it requests."""
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
