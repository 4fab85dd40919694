"""A save that ends or fails at any change of a file leaves the previous or the new checkpoint, complete; a failed
one leaves no other files.
"""

import pytest
from programs import run_program
from stopping_changes import STOPPING_CHANGES

# For each file change of a save, in the engine or in Python, in turn: a child saves and exits there (or the change
# fails), and another child checks the files.
_PROGRAM = (
    STOPPING_CHANGES
    + """
import re
folder, again, sharded, fails = sys.argv[1], sys.argv[2] == "again", sys.argv[3] == "sharded", sys.argv[4] == "fails"
objects = sys.argv[3] == "objects"
config = tf.ConfigProto(device_count={"CPU": 2}, inter_op_parallelism_threads=1, intra_op_parallelism_threads=1)

class Objects:  # as the saver is asked
    def __init__(self, v, w):
        self.checkpoint = tf.train.Checkpoint(v=v, w=w)
    def save(self, sess, path, number):
        if number is None:
            self.checkpoint.write(path, sess)
        else:
            self.checkpoint.save(path, sess)
    def restore_latest(self, sess, folder):
        named = again and os.path.exists(folder + "/m.index")
        path = folder + "/m" if named else tf.train.latest_checkpoint(folder)
        self.checkpoint.restore(path).initialize_or_restore(sess)
        return path

def session():
    with tf.device("/cpu:0"):
        v = tf.get_variable("v", [3], initializer=tf.zeros_initializer())
    with tf.device("/cpu:1"):
        w = tf.get_variable("w", [3], initializer=tf.zeros_initializer())
    saver = Objects(v, w) if objects else tf.train.Saver(max_to_keep=2, sharded=sharded, durable=True)
    return tf.Session(config=config), [v, w], saver

def value(sess, variables):
    [number] = {int(x) for array in sess.run(variables) for x in array}
    return number

def listed():
    return os.listdir(folder) if os.path.isdir(folder) else []

def save(stop):
    sess, variables, saver = session()
    with sess:
        sess.run(tf.global_variables_initializer())
        saver.restore_latest(sess, folder)
        number = value(sess, variables) + 1
        for variable in variables:
            variable.load([number] * 3, sess)
        there = set(listed())  # what a save before could not remove
        with Changes(folder, stop, fails, ("open", "os.rename", "os.remove")) as changes:
            try:
                saver.save(sess, folder + "/m", None if again else number)
            except (tf.errors.OpError, OSError) as error:
                assert fails and "space" in str(error), error
                left = [name for name in listed() if re.search(r"_temp_|\\.tempstate|\\.tmp[0-9a-f]", name)]
                assert there.issuperset(left), (there, left)
        return changes.status()

def look():
    import logging
    records = []
    class Keep(logging.Handler):
        def emit(self, record):
            if "no state file" not in record.getMessage():  # which the first save may not have come to
                records.append(record.getMessage())
    logging.getLogger("tinytf").addHandler(Keep())
    sess, variables, saver = session()
    with sess:
        found = saver.restore_latest(sess, folder)
        assert not records, records
        return 100 if found is None else value(sess, variables)

before, stop, ended = 100, 0, 9
while ended == 9:
    stop += 1
    ended = in_child(save, stop)
    now = in_child(look)
    assert ended in (0, 9), ended
    assert now == before or now == (1 if before == 100 else before + 1), (stop, before, now)
    before = now
print(stop)
"""
)


@pytest.mark.hooks
@pytest.mark.parametrize(
    ("kind", "names", "what"),
    [
        ("plain", "new", "ends"),
        ("plain", "again", "ends"),
        ("sharded", "new", "ends"),
        ("sharded", "again", "ends"),
        ("plain", "new", "fails"),
        ("sharded", "new", "fails"),
        ("sharded", "again", "fails"),
        ("objects", "new", "ends"),
        ("objects", "again", "ends"),
        ("objects", "new", "fails"),
        ("objects", "again", "fails"),
    ],
)
def test_at_every_change(memory_path, names, kind, what):
    if kind == "sharded":
        (memory_path / "saved").mkdir()
    done = run_program(_PROGRAM, str(memory_path / "saved"), names, kind, what, timeout=300)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 10  # minimal number of changes
