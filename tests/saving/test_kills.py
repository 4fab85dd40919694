"""Processes killed while saving leave a complete checkpoint, never older than the last one reported."""

import os

import pytest
from programs import run_program

_KILLS = int(os.environ.get("TINYTF_SAVE_KILLS", "2"))  # of each kind

# Children save under new names, or repeatedly under one name, and print each number when `save` has returned. Each is
# killed at a random point of a save; no state is awaited. Another child checks the files.
_PROGRAM = """
import logging, os, random, signal, sys, time
import tinytf as tf

folder, again, kind, kills = sys.argv[1], sys.argv[2] == "again", sys.argv[3], int(sys.argv[4])
random.seed(sys.argv[2] + kind)
v = [tf.get_variable(f"v{i}", [2000], initializer=tf.zeros_initializer()) for i in range(4)]
with tf.device("/cpu:1"):
    w = tf.get_variable("w", [2000], initializer=tf.zeros_initializer())
saver = tf.train.Saver(max_to_keep=2, sharded=kind == "sharded", async_save=kind == "async")
value = tf.placeholder(tf.float32, [])
fill = [tf.assign(x, tf.fill([2000], value)) for x in [*v, w]]
init = tf.global_variables_initializer()
config = tf.ConfigProto(device_count={"CPU": 2})
records = []
class Keep(logging.Handler):
    def emit(self, record):
        records.append(record.getMessage())
tf.get_logger().addHandler(Keep(logging.WARNING))

def newest(sess):
    if saver.restore_latest(sess, folder) is None:
        return -1
    [number] = {number for array in sess.run([*v, w]) for number in array.tolist()}
    return int(number)

def save(tell):
    with tf.Session(config=config) as sess:
        sess.run(init)
        begin = newest(sess) + 1
        for number in range(begin, begin + 10000):
            sess.run(fill, {value: number})
            saver.save(sess, folder + "/m", None if again else number)
            if kind == "async":  # the one before is there
                number -= 1
            if number >= begin:
                os.write(tell, b"%d\\n" % number)

def look(tell):
    with tf.Session(config=config) as sess:
        os.write(tell, b"%d\\n" % newest(sess))
    assert not records, records  # nothing was passed over

def child(work):
    reads, tell = os.pipe()
    made = os.fork()
    if made == 0:
        status = 255
        try:
            os.close(reads)
            work(tell)
            status = 0
        finally:
            if status:
                import traceback
                traceback.print_exc()
            os._exit(status)
    os.close(tell)
    return made, open(reads)

for _ in range(kills):
    saves, lines = child(save)
    told = [int(lines.readline()) for _ in range(random.randint(1, 12))]
    time.sleep(random.random() * 0.01)
    os.kill(saves, signal.SIGKILL)
    told += map(int, lines.read().split())
    os.waitpid(saves, 0)
    looks, lines = child(look)
    found = lines.read()
    assert os.waitpid(looks, 0)[1] == 0
    assert int(found) >= told[-1], (found, told)
"""


@pytest.mark.parametrize("names", ["new", "again"])
@pytest.mark.parametrize("kind", ["plain", "sharded", "async"])
def test_killed_at_any_time(memory_path, names, kind):
    done = run_program(_PROGRAM, str(memory_path), names, kind, str(_KILLS), timeout=120 + 10 * _KILLS)
    assert done.returncode == 0, done.stderr
