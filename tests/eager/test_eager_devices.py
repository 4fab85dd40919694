"""Devices of eager operations: missing devices and soft placement."""

import pytest

import tinytf as tf

SOFT = tf.ConfigProto(allow_soft_placement=True, device_count={"CPU": 2})
HARD = tf.ConfigProto(device_count={"CPU": 2})
MISSING = ["/gpu:0", "/device:GPU:1", "/cpu:7", "/job:localhost/replica:0/task:0/device:TPU:0"]


def _add(x):
    return x + x


def _call(x):
    return tf.function(lambda t: t + t)(x)


def _constant(x):
    return tf.constant([2.0, 4.0])


def _build(x):
    return tf.add(x, x)


@pytest.mark.parametrize("run", [_add, _build, _constant, _call], ids=lambda f: f.__name__)
@pytest.mark.parametrize("device", MISSING)
def test_soft_placement_runs_on_the_first_device(device, run):
    with tf.EagerSession(config=SOFT):
        x = tf.constant([1.0, 2.0])
        with tf.device(device):
            y = run(x)
        assert y.numpy().tolist() == [2.0, 4.0]
        assert y.device.endswith("CPU:0")


@pytest.mark.parametrize("run", [_add, _build, _constant, _call], ids=lambda f: f.__name__)
@pytest.mark.parametrize("device", MISSING)
def test_without_it_the_operation_fails(device, run):
    with tf.EagerSession(config=HARD):
        x = tf.constant([1.0, 2.0])
        with tf.device(device), pytest.raises(tf.errors.InvalidArgumentError, match="unknown device"):
            run(x)
        assert run(x).numpy().tolist() == [2.0, 4.0]


def test_the_error_names_the_device():
    with tf.EagerSession(), tf.device("/device:GPU:3"):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"^/device:GPU:3 unknown device\."):
            tf.zeros([2])


@pytest.mark.parametrize("config", [SOFT, HARD], ids=["soft", "hard"])
def test_devices_that_exist_are_used(config):
    with tf.EagerSession(config=config):
        with tf.device("/cpu:1"):
            x = tf.constant(1.0) + 1.0
        assert x.device.endswith("CPU:1")


@pytest.mark.parametrize("device", MISSING)
def test_builders_have_soft_placement_too(device):
    with tf.EagerSession(config=SOFT) as session:
        x = tf.constant(1.0)
        sum = session.op_builder("Add", "sum").set_device(device).add_input(x).add_input(x).build()
        assert sum.output(0).device.endswith("CPU:0")
        with pytest.raises(tf.errors.InvalidArgumentError, match="unknown device"):
            session.op_builder("Add", "sum").set_device("/job:worker/cpu:0")


def test_values_on_other_devices_are_taken_as_the_policy_says():
    explicit = tf.EagerSession.DevicePlacementPolicy.EXPLICIT
    with tf.EagerSession(config=SOFT, device_placement_policy=explicit):
        with tf.device("/cpu:1"):
            x = tf.constant([1.0])
        with tf.device("/gpu:0"), pytest.raises(tf.errors.InvalidArgumentError, match="conflicting devices"):
            tf.negative(x)


@pytest.mark.parametrize("make", [lambda: tf.Variable(1.0), lambda: tf.FIFOQueue(1, tf.float32)], ids=["var", "queue"])
def test_variables_and_queues_may_go_where_another_device_is_used(make):
    with tf.EagerSession(config=HARD):
        with tf.device("/cpu:1"):
            kept = make()
        with tf.device("/gpu:0"):
            del kept  # without output
