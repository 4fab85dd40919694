"""The device requested by operations inside device scopes, device functions and colocation."""

import re
from contextlib import ExitStack

import pytest

import tinytf as tf


def _device(*scopes):
    """The device of a constant inside these scopes, outermost first."""
    with ExitStack() as stack:
        for scope in scopes:
            stack.enter_context(tf.device(scope))
        return tf.constant(1.0).device


def _classes(tensor):
    return tensor.op._raw_attr("_class")


def _to_w2(op):
    return "/job:w/cpu:2"


@pytest.mark.parametrize(
    ("scopes", "device"),
    [
        ((), ""),
        (("/cpu:0",), "/device:CPU:0"),
        (("/job:a", "/task:1"), "/job:a/task:1"),
        (("/job:a", "/job:b/cpu:1"), "/job:b/device:CPU:1"),
        (("/cpu:0", "/gpu:1"), "/device:GPU:1"),
        (("/job:a", ""), "/job:a"),
        (("/job:a", None), ""),
        (("/job:a", None, "/task:2"), "/task:2"),
        (("/job:a", tf.DeviceSpec(task=1)), "/job:a/task:1"),
        ((tf.DeviceSpec(job="k", device_type="CPU", device_index=1),), "/job:k/device:CPU:1"),
        (("/Gpu:1",), "/device:GPU:1"),
        (("/cpu:*",), "/device:CPU:*"),
    ],
)
def test_names_merge_and_inner_ones_win(scopes, device):
    assert _device(*scopes) == device


@pytest.mark.parametrize(
    ("scopes", "device"),
    [
        ((_to_w2,), "/job:w/cpu:2"),  # taken unchanged
        (("/task:3", _to_w2), "/job:w/task:3/device:CPU:2"),
        (("", _to_w2), "/job:w/cpu:2"),
        ((_to_w2, "/task:3"), "/job:w/cpu:2"),  # replaces the devices of inner scopes
        ((lambda op: "", "/task:3"), ""),
        (("/task:3", lambda op: ""), "/task:3"),
        (("/task:1", lambda op: tf.DeviceSpec(job="q")), "/job:q/task:1"),
        ((lambda op: op.device or "/task:4", "/job:y"), "/job:y"),
        (("/job:z", lambda op: op.device or "/task:4"), "/job:z/task:4"),
        ((_to_w2, None), ""),
        ((lambda op: f"/job:{op.type.lower()}",), "/job:const"),
        ((lambda op: "/bad",), "/bad"),  # the session reports the error
    ],
)
def test_functions_replace(scopes, device):
    assert _device(*scopes) == device


def test_a_bad_name_from_a_function_is_found_by_the_scope_around():
    with pytest.raises(ValueError, match="Unknown attribute: 'bad' in '/bad'"):
        _device("/cpu:0", lambda op: "/bad")


@pytest.mark.parametrize("device", [None, 3])
def test_functions_must_return_a_name(device):
    with pytest.raises(TypeError, match=f"Expected binary or unicode string, got {device}"):
        _device(lambda op: device)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("/bad", "Unknown attribute: 'bad' in '/bad'"),
        ("/cpu:0/gpu:0", "Cannot specify multiple device types: /cpu:0/gpu:0"),
        ("/cpu:x", "invalid literal for int() with base 10: 'x'"),
    ],
)
def test_bad_names_fail_when_the_scope_is_entered(name, text):
    with pytest.raises(ValueError, match=re.escape(text)), tf.device(name):
        pytest.fail("the scope was entered")


def test_scopes_are_left_in_order():
    with tf.Graph().as_default():
        outer, inner = tf.device("/cpu:0"), tf.device("/cpu:1")
        outer.__enter__()
        inner.__enter__()
        with pytest.raises(RuntimeError, match=r"^Exiting device scope without proper scope nesting\.$"):
            outer.__exit__(None, None, None)
        inner.__exit__(None, None, None)


def test_colocated_operations_take_the_device():
    with tf.device("/cpu:0"):
        a = tf.constant(1.0, name="a")
    with tf.device("/cpu:1"):
        b = tf.constant(1.0, name="b")
    with tf.device("/cpu:3"), tf.colocate_with(a):
        first = tf.constant(1.0, name="first")
        with tf.device("/gpu:2"):
            second = tf.constant(1.0)
        with tf.colocate_with(b):
            both = tf.constant(1.0)
        with tf.colocate_with(b, ignore_existing=True):
            only_b = tf.constant(1.0)
        with tf.colocate_with(first):
            third = tf.constant(1.0)
        with tf.colocate_with(None, ignore_existing=True), tf.device("/cpu:5"):
            free = tf.constant(1.0)
    assert [(t.device, _classes(t)) for t in (first, second, both, only_b, third, free)] == [
        ("/device:CPU:0", [b"loc:@a"]),
        ("/device:CPU:0", [b"loc:@a"]),  # regardless of device scopes
        ("/device:CPU:1", [b"loc:@a", b"loc:@b"]),
        ("/device:CPU:1", [b"loc:@b"]),
        ("/device:CPU:0", [b"loc:@a"]),  # the groups of the operation
        ("/device:CPU:5", None),
    ]


def test_colocation_with_an_operation_that_asks_for_nothing():
    n = tf.constant(1.0, name="n")
    with tf.device("/cpu:3"), tf.colocate_with(n):
        plain = tf.constant(1.0)
        with tf.device("/task:1"):
            asking = tf.constant(1.0)
    assert (plain.device, asking.device) == ("", "/task:1")
    assert plain.op.colocation_groups() == [b"loc:@n"]


def test_operations_that_change_a_variable_are_where_it_is():
    v = tf.Variable(1.0, name="v", use_resource=False)
    with tf.device("/cpu:4"):
        w = tf.Variable(1.0, name="w", use_resource=False)
        changes_v, changes_w = tf.assign(v, 2.0), tf.assign(w, 2.0)
    a = tf.constant(1.0, name="a")
    with tf.colocate_with(a):
        both = tf.assign(w, 2.0)
    assert [(t.op.device, t.op._raw_attr("_class")) for t in (changes_v, changes_w, both)] == [
        ("", [b"loc:@v"]),
        ("/device:CPU:4", [b"loc:@w"]),
        ("/device:CPU:4", [b"loc:@a", b"loc:@w"]),
    ]


def test_things_to_colocate_with():
    with tf.device("/cpu:4"):
        w = tf.Variable(1.0, name="w")
        r = tf.Variable(1.0, name="r", use_resource=True)
        slices = tf.IndexedSlices(tf.constant([1.0], name="values"), tf.constant([0]))
    found = []
    for thing in (w, w.initializer, r, slices):
        with tf.colocate_with(thing):
            found.append(tf.constant(1.0))
    assert [_classes(t) for t in found] == [[b"loc:@w"], [b"loc:@w"], [b"loc:@r"], [b"loc:@values"]]
    assert {t.device for t in found} == {"/device:CPU:4"}


def test_what_is_no_tensor_is_made_a_constant_to_colocate_with():
    with tf.Graph().as_default() as graph:
        for value in (1.0, [1, 2], "a"):
            with tf.colocate_with(value):
                assert _classes(tf.constant(1.0)) == [b"loc:@" + graph.get_operations()[-2].name.encode()]
        scope = tf.colocate_with(object())  # converts at the start of the block only
        with pytest.raises(TypeError, match="Failed to convert object of type <class 'object'> to Tensor"), scope:
            pass


def test_devices_can_be_set_afterwards():
    op = tf.no_op()
    op._set_device("/cpu:1")
    assert op.device == "/cpu:1"
    op._set_device(tf.DeviceSpec(job="a"))
    assert op.device == "/job:a"
    with pytest.raises(TypeError, match="Expected binary or unicode string, got None"):
        op._set_device(None)


_PROGRAM = """
from contextlib import ExitStack
result = []
to_w2, spec = (lambda op: "/job:w/cpu:2"), tf.DeviceSpec(job="k", device_type="CPU", device_index=1)
kept = lambda op: op.device or "/task:4"
scopes = [None, "", "/cpu:0", "/job:a/task:1", "/gpu:*", to_w2, kept, spec, (lambda op: tf.DeviceSpec(task=7))]
for outer in scopes:
    for middle in scopes:
        for inner in scopes:
            with tf.Graph().as_default(), tf.device(outer), tf.device(middle), tf.device(inner):
                result.append(tf.no_op().device)
for outer in ("/cpu:0", ""):
    for inner in ("/cpu:1", ""):
        for scope in ("/gpu:1", "", None):
            for ignore in (True, False):
                with tf.Graph().as_default(), tf.device("/job:x"):
                    with tf.device(None), tf.device(outer):
                        a = tf.no_op(name="a")
                        v = tf.Variable(1.0, name="v", use_resource=False)
                    with tf.device(None), tf.device(inner):
                        b = tf.no_op(name="b")
                    with tf.colocate_with(a), tf.device(scope):
                        c = tf.no_op()
                        with tf.colocate_with(b, ignore_existing=ignore):
                            d = tf.no_op()
                            e = tf.assign(v, 2.0).op
                    result += [(op.device, op.colocation_groups()) for op in (c, d, e, v.op, v.initializer)]
"""


@pytest.mark.oracle
def test_same_devices_as_tensorflow(oracle):
    names = {"tf": tf}
    exec(_PROGRAM, names)
    assert names["result"] == oracle(_PROGRAM)
