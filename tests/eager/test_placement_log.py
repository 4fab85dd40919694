"""`tf.debugging.set_log_device_placement`, called before the default eager session exists; each case runs in a
separate process.
"""

from programs import run_program

PROGRAM = """
import tinytf as tf
get, put = tf.debugging.get_log_device_placement, tf.debugging.set_log_device_placement
assert get() is False
put(True)
assert get() is True
tf.logging.set_verbosity(tf.logging.INFO)
tf.enable_eager_execution()
print(tf.add(1.0, 2.0).numpy())
put(True)
try:
    put(False)
except RuntimeError as e:
    print(e)
"""


def test_operations_tell_where_they_run():
    done = run_program(PROGRAM)
    told = done.stdout + done.stderr
    assert done.returncode == 0, told
    assert "Device placement logging must be set at program startup" in told
    assert "Executing op Add in device" in told
