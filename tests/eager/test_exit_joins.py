"""Threads that use sessions at interpreter exit end and release locks and threads that join them, even if exit
handlers registered before the import run after the sessions are closed.
"""

import pytest
from programs import run_program

THREAD = """
import contextvars
began = threading.Event()
def start(work, daemon=True):
    thread = threading.Thread(target=contextvars.copy_context().run, args=(work,), daemon=daemon)
    thread.start()
    began.wait()
    return thread
"""

# Code before the import and code after it. All programs exit with code 0 and only their own log output on stderr.
PROGRAMS = {
    "a lock of logging": (
        "import logging; logging.basicConfig(stream=open(os.devnull, 'w'))",
        """
def work():
    while True:
        logging.warning("loss %f", x)  # formatted under the handler's lock, which logging.shutdown takes
        began.set()
start(work)
""",
    ),
    "a lock of the program": (
        "lock = threading.Lock(); atexit.register(lambda: lock.acquire())",
        """
def work():
    while True:
        with lock:
            float(x * 2.0)
            began.set()
start(work)
""",
    ),
    "a monitor that is stopped and joined": (
        """
class Monitor(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.stopped = threading.Event()
        self.value = lambda: 0.0
    def run(self):
        while not self.stopped.is_set():
            self.value()
            began.set()
    def stop(self):
        self.stopped.set()
        self.join()
began = threading.Event()
monitor = Monitor()
atexit.register(monitor.stop)
""",
        """
monitor.value = lambda: float(x)
monitor.start()
began.wait()
""",
    ),
    "a worker that ends with its session": (
        "workers = []; atexit.register(lambda: [worker.join() for worker in workers])",
        """
def work():
    try:
        while True:
            x * 2.0
            began.set()
    except tf.eager.SessionClosedError:
        pass
workers.append(start(work))
""",
    ),
    "a worker that waits in an operation": (
        "workers = []; atexit.register(lambda: [worker.join() for worker in workers])",
        """
queue = tf.FIFOQueue(1, tf.float32)
def work():
    began.set()
    queue.dequeue().numpy()
workers.append(start(work))
""",
    ),
    "blocks that are left": (
        "left = []; atexit.register(lambda: left == ['finally'] or os._exit(9))\n"
        "workers = []; atexit.register(lambda: [worker.join() for worker in workers])",
        """
def work():
    try:
        while True:
            (x + x).numpy()
            began.set()
    finally:
        left.append('finally')
workers.append(start(work))
""",
    ),
}


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_end_comes(program, is_async):
    before, after = PROGRAMS[program]
    source = f"""
import atexit, os, sys, threading
{before}
import tinytf as tf
session = tf.EagerSession(async_={is_async})
session.__enter__()
x = tf.constant(2.0) + 1.0
{THREAD if "began =" not in before else ""}
{after}
"""
    done = run_program(source)
    assert (done.returncode, done.stderr) == (0, "")
