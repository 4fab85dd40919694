"""The power goes while checkpoints are saved: with `durable`, what `save` has returned from is there, whatever else of the
disk is; without, what is restored is a checkpoint as it was saved, if anything is."""

from pathlib import Path

import pytest
from programs import run_program

# Saves 1 to 4 while the disk is watched, then looks at each state that the disk may have had at some moment.
_PROGRAM = """
import logging, os, sys
sys.path.insert(0, sys.argv[1])
import tinytf as tf
from tinytf._core import testing
from disk_after_power_loss import Disk, states_after, write_state

root, kind = sys.argv[2:4]
again, durable, there = "again" in sys.argv, "durable" in sys.argv, "there" in sys.argv
folder = root + "/saved"
os.makedirs(folder if there else root)
os.mkdir(root + ".aside")
config = tf.ConfigProto(device_count={"CPU": 2}, inter_op_parallelism_threads=1, intra_op_parallelism_threads=1)
with tf.device("/cpu:0"):
    v = tf.get_variable("v", [3], initializer=tf.zeros_initializer())
with tf.device("/cpu:1"):
    w = tf.get_variable("w", [3], initializer=tf.zeros_initializer())
version = tf.train.SaverDef.V1 if kind == "early" else tf.train.SaverDef.V2
saver = tf.train.Saver(max_to_keep=2, sharded=kind == "sharded", durable=durable, write_version=version)
records = []
class Keep(logging.Handler):
    def emit(self, record):
        if record.levelno >= logging.WARNING and "no state file" not in record.getMessage():
            records.append(record.getMessage())
logging.getLogger("tinytf").addHandler(Keep())
logging.getLogger("tinytf").propagate = False

def restored(sess):
    found = saver.restore_latest(sess, folder)
    if found is None:
        return 0
    [number] = {int(x) for array in sess.run([v, w]) for x in array}  # one that was saved, all of it
    return number

with tf.Session(config=config) as sess:
    disk = Disk(root, root + ".aside")
    disk.watch(testing.watch_file_changes)
    disk.tell((0, 0))
    for number in range(1, 5):
        for variable in (v, w):
            variable.load([number] * 3, sess)
        disk.tell((number - 1, number))
        saver.save(sess, folder + "/m", None if again else number)
        disk.tell((number, number))
    testing.watch_file_changes(None)
    moments, disk._ours = disk.moments, True
    seen, refused = {}, 0
    for moment in moments if durable else moments[::12]:
        for state in states_after(moment):
            key = (moment.told, tuple(sorted(state.items())))
            if key in seen:
                continue
            seen[key] = True
            write_state(root, state)
            returned, begun = moment.told
            del records[:]
            if durable:
                number = restored(sess)
                assert returned <= number <= begun, (moment.told, number, sorted(state), records)
                assert not records or returned == 0, (moment.told, records)
                latest = tf.train.latest_checkpoint(folder)
                assert latest is not None or returned == 0
                if latest is not None and os.path.exists(folder + "/checkpoint"):
                    saver.restore(sess, latest)
            else:
                try:
                    number = restored(sess)
                    assert number <= begun
                except (tf.errors.OpError, ValueError):
                    refused += 1
print(len(moments), len(seen), refused)
"""


@pytest.mark.hooks
@pytest.mark.parametrize(
    ("kind", "names", "durable", "there"),
    [
        ("plain", "new", "durable", "there"),
        ("plain", "again", "durable", "there"),
        ("plain", "new", "durable", "made"),
        ("sharded", "new", "durable", "there"),
        ("sharded", "again", "durable", "there"),
        ("early", "new", "durable", "there"),
        ("early", "again", "durable", "there"),
        ("plain", "new", "default", "there"),
        ("sharded", "again", "default", "there"),
    ],
)
def test_states_of_the_disk(tmp_path, kind, names, durable, there):
    here = str(Path(__file__).parent)
    done = run_program(_PROGRAM, here, str(tmp_path / "disk"), kind, names, durable, there, timeout=300)
    assert done.returncode == 0, done.stderr
    moments, states, refused = map(int, done.stdout.split())
    assert moments > 40
    assert states > moments
    assert (refused > 0) == (durable == "default")
