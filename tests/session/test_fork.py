"""A process with sessions forks: the children can run and close them, whatever the parent's threads were doing.

Each case runs in a separate process; an alarm ends it if a child hangs.
"""

import os
import subprocess
import sys

import pytest

_START = """
import multiprocessing, os, signal, sys, threading, time, traceback, warnings
import numpy as np
import tinytf as tf

warnings.simplefilter("ignore", DeprecationWarning)  # of forking with threads, in later Pythons
signal.alarm(120)
x = tf.placeholder(tf.float32, [None, None])
square = tf.matmul(x, x)
v = tf.get_variable("v", initializer=tf.zeros([1000], tf.float64))
add = tf.assign_add(v, tf.ones([1000], tf.float64), use_locking=True)
total = tf.reduce_sum(v)
sess = tf.Session()
sess.run(v.initializer)
large, small = np.ones([512, 512], np.float32), np.ones([32, 32], np.float32)
assert sess.run(square, {x: large})[0, 0] == 512  # large enough to be split: starts the threads of the pool


class Load:
    \"\"\"Threads that run steps, one after another, until the block ends.\"\"\"

    def __init__(self, threads, fed):
        self.ended, self.begun, self.fed = False, threading.Semaphore(0), fed
        self.threads = [threading.Thread(target=self.work) for _ in range(threads)]

    def work(self):
        self.begun.release()
        while not self.ended:
            sess.run([square, add], {x: self.fed})

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        for thread in self.threads:
            self.begun.acquire()

    def __exit__(self, *exc):
        self.ended = True
        for thread in self.threads:
            thread.join()


def ends_well(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def fork(child):
    pid = os.fork()
    if pid:
        return pid
    signal.alarm(20)
    try:
        child()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)
"""

_END = """
sess.close()
print("done")
"""


def _run(program, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", _START + program + _END], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", ""), done.stderr


def test_many_children_under_load(tmp_path):
    """The environment variable TINYTF_CHILDREN sets the number of children."""
    _run(
        f"children = {int(os.environ.get('TINYTF_CHILDREN', '100'))}"
        """
def child():
    assert sess.run(total) % 1000 == 0  # the parent's steps were at an end
    sess.close()

with Load(2, small):
    for i in range(children):
        assert ends_well(fork(child)), i
""",
        tmp_path,
    )


def test_the_child_builds_and_runs_and_uses_the_pool(tmp_path):
    _run(
        """
def child():
    assert sess.run(square, {x: large})[5, 5] == 512
    with tf.Graph().as_default(), tf.Session() as own:
        y = tf.placeholder(tf.float32, [512, 512])
        assert own.run(tf.reduce_sum(tf.matmul(y, y)), {y: large}) == 512.0**3
    more = [threading.Thread(target=lambda: sess.run(square, {x: large})) for _ in range(4)]
    for thread in more:
        thread.start()
    for thread in more:
        thread.join()
    sess.run(add)
    sess.close()

for threads, fed in ((0, small), (2, large)):
    with Load(threads, fed):
        for i in range(5):
            assert ends_well(fork(child)), (threads, i)
""",
        tmp_path,
    )


def test_processes_of_multiprocessing(tmp_path):
    _run(
        """
def child(i, results):
    with tf.Session(graph=v.graph) as own:
        own.run(v.initializer)
        results.put((i, float(own.run(total)), float(sess.run(square, {x: small})[0, 0])))
    sess.close()

context = multiprocessing.get_context("fork")
with Load(1, large):
    results = context.SimpleQueue()
    children = [context.Process(target=child, args=(i, results)) for i in range(8)]
    for process in children:
        process.start()
    assert sorted(results.get() for _ in children) == [(i, 0.0, 32.0) for i in range(8)]
    for process in children:
        process.join()
    assert [process.exitcode for process in children] == [0] * 8
""",
        tmp_path,
    )


def test_children_of_children(tmp_path):
    _run(
        """
def child():
    sess.run(add)
    with Load(1, small):
        for i in range(5):
            assert ends_well(fork(grandchild))
    sess.close()

def grandchild():
    sess.run(add)
    sess.close()

with Load(1, small):
    for i in range(5):
        assert ends_well(fork(child)), i
""",
        tmp_path,
    )


def test_parent_and_child_go_separate_ways(tmp_path):
    _run(
        """
def child():
    for _ in range(3):
        sess.run(add)
    assert sess.run(total) == 5000
    sess.close()

sess.run(add)
sess.run(add)
assert ends_well(fork(child))
assert sess.run(total) == 2000
""",
        tmp_path,
    )


def test_steps_that_wait_in_a_queue_are_the_parents(tmp_path):
    _run(
        """
queue = tf.FIFOQueue(10, tf.int32, [[]])
n = tf.placeholder(tf.int32, [])
put, element, many = queue.enqueue(n), queue.dequeue(), queue.dequeue_many(3)
size = queue.size()

def child():
    sess.run(put, {n: 5})
    assert sess.run(size) == 1  # nobody else waits here
    thread = threading.Thread(target=lambda: found.append(sess.run(element)))
    thread.start()
    thread.join()
    assert found == [5]
    sess.close()

found = []
waiting = threading.Thread(target=lambda: found.append(sess.run(many)))
for _ in range(20):
    assert ends_well(fork(child))
waiting.start()
for i in range(100):
    assert ends_well(fork(child)), i
for i in range(3):
    sess.run(put, {n: i})
waiting.join()
assert [list(values) for values in found] == [[0, 1, 2]]
""",
        tmp_path,
    )


@pytest.mark.parametrize("how", ["sys.exit(0)", "os._exit(0)", "sess.close(); sys.exit(0)"])
def test_the_childs_own_exit(tmp_path, how):
    _run(
        f"""
with Load(1, large):
    for i in range(5):
        pid = os.fork()
        if pid == 0:
            signal.alarm(20)
            sess.run(square, {{x: large}})
            {how}
        assert ends_well(pid), i
""",
        tmp_path,
    )


def test_steps_of_coroutines_in_the_child(tmp_path):
    _run(
        """
import asyncio

def child():
    assert asyncio.run(sess.run_async(tf.constant(2))) == 2
    sess.close()

assert asyncio.run(sess.run_async(tf.constant(1))) == 1
for i in range(5):
    assert ends_well(fork(child)), i
""",
        tmp_path,
    )


def test_the_child_drops_large_results_before_it_runs(tmp_path):
    _run(
        """
n = tf.placeholder(tf.int32, [1])
ones = tf.fill(n, 1.0)

def is_reaper(task):
    try:
        return open(f"/proc/self/task/{task}/comm").read().strip() == "tinytf-reaper"
    except OSError:
        return False  # it ended meanwhile

def no_reaper():
    # The system lists a joined thread for a moment.
    end = time.monotonic() + 10
    while any(map(is_reaper, os.listdir("/proc/self/task"))) and time.monotonic() < end:
        time.sleep(0.001)
    return not any(map(is_reaper, os.listdir("/proc/self/task")))

def child():
    global kept
    del kept  # no pool keeps it
    assert no_reaper()
    assert sess.run(ones, {n: [3]}).sum() == 3
    sess.close()
    assert no_reaper()

for i in range(5):
    sess.run(ones, {n: [2 << 20]})
    kept = sess.run(ones, {n: [3 << 20]})
    assert ends_well(fork(child)), i
    del kept
""",
        tmp_path,
    )
