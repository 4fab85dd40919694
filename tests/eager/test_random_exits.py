"""Random programs end with the right exit code, nothing on stderr, and without a hang.

The environment variable TINYTF_EXITS sets their number.
"""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from watched_sessions import STRATEGIES

EXITS = int(os.environ.get("TINYTF_EXITS", "60"))
KINDS = [(strategy.name, is_async) for strategy in STRATEGIES for is_async in (False, True)]

PREAMBLE = """
import contextvars
strategy = tf.EagerSession.ResourceCleanupStrategy.{strategy}
session = tf.EagerSession(resource_cleanup_strategy=strategy, async_={is_async})
session.__enter__()
x = tf.constant([1.0, 2.0]) + 1.0
def thread(work):
    began = threading.Event()
    target = contextvars.copy_context().run
    threading.Thread(target=target, args=(work, began), daemon=True).start()
    began.wait()
"""

GUARDED = """
try:
    {}
except (tf.OpError, tf.eager.SessionClosedError):
    pass  # an earlier deed closed the session, or left an error in it
"""

# Objects that a program may leave alive at exit.
DEEDS = [
    "y = x * 2.0",
    "cycle = [x]; cycle.append(cycle); del cycle",
    "import builtins; builtins.kept = x",
    "sys.kept = [x, session]",
    "import weakref; reference = weakref.ref(x, lambda _: None)",
    "array = (x + 3.0).numpy()",
    "import numpy; exported = numpy.from_dlpack(x * 4.0)",
    "view = memoryview(x * 5.0)",
    "values = (x + float(i) for i in range(3)); next(values)",
    "scope = session.scope(); scope.__enter__(); z = x + 1.0",
    "other = tf.EagerSession(async_=True)",
    "inner = tf.EagerSession(); inner.__enter__(); w = tf.constant(1.0)",
    "default = tf.EagerSession.get_default()",
    "variable = tf.Variable([1.0, 2.0]); variable.assign_add([1.0, 1.0])",
    "tape = tf.GradientTape(persistent=True); tape.__enter__(); tape.watch(x); square = x * x",
    "many = [x + float(i) for i in range(100)]",
    "session.close()",
    "session.reset()",
    "graph_session = tf.Session(graph=tf.Graph())",
    "bad = tf.matmul(x, x)",
    """
try:
    raise KeyError("kept")
except KeyError as error:
    sys.kept_error = error
""",
    """
class Last:
    def __del__(self, closed=tf.eager.SessionClosedError):
        try:
            self.x.numpy()
        except closed:
            pass
last = Last(); last.x = x
""",
    """
import atexit
atexit.register(lambda: session.stats())
""",
    """
def work(began):
    try:
        y = x
        while True:
            y = tf.reshape(y * 1.5, [2]) - 1.0
            began.set()
    except (tf.OpError, tf.eager.SessionClosedError):
        began.set()
thread(work)
""",
]

# An operation that never ends, on a daemon thread: later waits for the session never return.
ENDLESS = """
def wait(began):
    try:
        queue = session.op_builder("FIFOQueueV2", "q").set_attr("component_types", [tf.float32]).build().output(0)
        began.set()
        session.op_builder("QueueDequeueV2", "take").add_input(queue).set_attr("component_types", [tf.float32]).build()
    except (tf.OpError, tf.eager.SessionClosedError):
        began.set()
thread(wait)
"""

# (the last lines, exit code, expected end of stderr)
WAYS_OUT = [
    ("ends()", 0, ""),
    ("ends(); sys.exit(3)", 3, ""),
    ("ends(); raise KeyError('the program')", 1, "KeyError: 'the program'"),
    ("ends(); os._exit(4)", 4, ""),
    (
        "ends(); import signal; signal.signal(signal.SIGTERM, signal.SIG_DFL); os.kill(os.getpid(), signal.SIGTERM)",
        -15,
        "",
    ),
]


def random_program(generator, kind):
    strategy, is_async = kind
    deeds = generator.sample(DEEDS, generator.randrange(6))
    if generator.randrange(4) == 0:
        deeds.append(ENDLESS)
    lines, code, text = generator.choice(WAYS_OUT)
    deeds = [GUARDED.format(deed.strip().replace("\n", "\n    ")) for deed in deeds]
    return PREAMBLE.format(strategy=strategy, is_async=is_async) + "".join(deeds) + lines, code, text


@pytest.mark.parametrize("number", range(len(KINDS)), ids=[f"{s}-{'async' if a else 'sync'}" for s, a in KINDS])
def test_random_programs_end(number, tmp_path, record_property):
    generator = random.Random(number)
    programs = [random_program(generator, KINDS[number]) for _ in range(max(1, EXITS // len(KINDS)))]
    paths = [tmp_path / str(i) for i in range(len(programs))]
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("exit_server.py")],
        input=json.dumps([(program, str(path)) for (program, _, _), path in zip(programs, paths, strict=True)]),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60 + 10 * len(programs),
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(results) == len(programs)
    record_property("slowest_exit_seconds", max((seconds for _, seconds in results if seconds), default=None))
    for (program, code, text), path, (exit_code, _) in zip(programs, paths, results, strict=True):
        stderr = path.read_text()
        assert (exit_code, stderr.rstrip().splitlines()[-1:]) == (code, [text] if text else []), (program, stderr)
        assert stderr.count("Traceback") == (1 if text else 0), (program, stderr)
