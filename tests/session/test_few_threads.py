"""Steps run with the available threads if the system provides fewer than requested, or none."""

import os
import resource
import subprocess
import sys

import pytest

_GIB = 1 << 30

_PROGRAM = """
import numpy as np
import tinytf as tf

config = tf.ConfigProto(intra_op_parallelism_threads=4)
config.session_inter_op_thread_pool.add(num_threads=4)
x = tf.placeholder(tf.float32, [700, 700])
queue = tf.FIFOQueue(4, tf.float32, shapes=[[]])
parts = [tf.reduce_sum(tf.matmul(x, x) * float(k)) for k in range(4)]
with tf.Session(config=config) as sess:
    values = np.ones([700, 700], np.float32)
    for step in range(6):
        sess.run(queue.enqueue(1.0))
        *sums, element = sess.run([*parts, queue.dequeue()], {x: values})
        assert np.allclose(sums, [700.0**3 * k for k in range(4)], rtol=1e-5), sums
        assert element == 1.0
with tf.EagerSession():
    assert np.all(tf.matmul(tf.ones([700, 700]), tf.ones([700, 700])).numpy() == 700)
print("done", sum(name.startswith("tinytf-") for name in names()))
"""

_NAMES = """
import os
def names():
    return [open(f"/proc/self/task/{task}/comm").read() for task in os.listdir("/proc/self/task")]
"""


@pytest.mark.parametrize(("stack", "room"), [(64, 40), (12, 20)], ids=["none", "one"])
def test_threads_that_cannot_be_had(stack, room, tmp_path):
    # A thread takes as much address space as the stack limit, so that only some threads, or none, fit.
    def limit():
        resource.setrlimit(resource.RLIMIT_STACK, (stack * _GIB, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_AS, (room * _GIB, room * _GIB))

    done = subprocess.run(
        [sys.executable, "-c", _NAMES + _PROGRAM],
        cwd=tmp_path,  # not the source folder, where the package has no engine
        capture_output=True,
        text=True,
        preexec_fn=limit,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith("done"), done.stdout
    assert int(done.stdout.split()[1]) <= (1 if room < stack else 2)
