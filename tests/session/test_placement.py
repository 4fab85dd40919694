"""Placement of operations by a session: valid requests, errors and logs."""

import logging
import re

import pytest

import tinytf as tf

_CPU = "/job:localhost/replica:0/task:0/device:CPU:"
_NO_DEVICE = "Make sure the device specification refers to a valid device."


def _session(cpus=1, **options):
    return tf.Session(config=tf.ConfigProto(device_count={"CPU": cpus}, **options))


def _on(device, name="c"):
    with tf.device(device):
        return tf.constant(1.0, name=name)


def _in_class(tensor, *groups):
    """Colocates the tensor's operation with the groups."""
    tensor.op._set_attr("_class", [b"loc:@" + group.encode() for group in groups])
    return tensor


def _failure(fetch, **options):
    """The message of the InvalidArgumentError when running `fetch`, without source locations."""
    with _session(**options) as sess, pytest.raises(tf.errors.InvalidArgumentError) as caught:
        sess.run(fetch)
    message = caught.value.message.split("Additional information")[0]
    assert caught.value.op is not None
    return re.sub(
        r" \(defined at [^)]*\) (placed on device (No device assignments.*? creation\.|Device assign.*?: <\S*:\d+>) )?",
        "",
        message,
        flags=re.S,
    )


# -- Requests that cannot be met -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("device", "shown"),
    [
        ("/cpu:3", "/device:CPU:3"),
        ("/device:TPU:0", "/device:TPU:0"),
        ("/job:worker/task:1", "/job:worker/task:1"),
        ("/replica:2", "/replica:2"),
    ],
)
def test_a_device_that_is_not_there(device, shown):
    assert _failure(_on(device)) == (
        f"Cannot assign a device for operation c: node c was explicitly assigned to {shown} but available devices are [ "
        f"{_CPU}0 ]. {_NO_DEVICE}\n\t [[c]]"
    )


def test_a_gpu_is_named_as_the_reason():
    assert f"[ {_CPU}0, {_CPU}1 ]. {_NO_DEVICE} The requested device appears to be a GPU, but CUDA is not enabled." in (
        _failure(_on("/gpu:0"), cpus=2)
    )


def test_the_message_names_the_users_line():
    c = _on("/gpu:0")
    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError) as caught:
        sess.run(c)
    assert re.search(r"node c \(defined at .*test_placement\.py:\d+\)  was explicitly assigned", caught.value.message)
    assert caught.value.op is c.op


def test_a_malformed_name():
    with tf.device(lambda op: "/foo:bar"):
        c = tf.constant(1.0, name="c")
    assert _failure(c).startswith(
        "Malformed device specification '/foo:bar' in node: {name:'c' id:2 op device:{} def:{"
    )


@pytest.mark.parametrize(
    ("first", "second", "what", "shown"),
    [
        ("/job:a", "/job:b", "jobs", "'/job:b' and '/job:a'"),
        ("/replica:0", "/replica:1", "replicas", "'/replica:1' and '/replica:0'"),
        ("/task:0", "/task:1", "tasks", "'/task:1' and '/task:0'"),
        ("/cpu:0", "/gpu:0", "types", "'/device:GPU:0' and '/device:CPU:0'"),
        ("/cpu:0", "/cpu:1", "ids", "'/device:CPU:1' and '/device:CPU:0'"),
    ],
)
def test_colocation_of_contradicting_requests(first, second, what, shown):
    _on(first, "a")
    b = _in_class(_on(second, "b"), "a")
    assert _failure(b, cpus=2) == (
        f"Cannot colocate nodes node b and node a: Cannot merge devices with incompatible {what}: {shown}\n\t [[node b]]"
    )


def test_the_colocation_message_tells_what_was_asked_for():
    a = _on("/cpu:0", "a")
    with tf.colocate_with(a):
        early = tf.constant(1.0, name="early")
    late = _in_class(_on("/cpu:1", "late"), "early")
    with _session(2) as sess, pytest.raises(tf.errors.InvalidArgumentError) as caught:
        sess.run(late)
    text = caught.value.message
    assert early.device == a.device == "/device:CPU:0"
    assert "Additional information about colocations:" in text
    assert "No node-device colocations were active during op 'late' creation." in text
    assert re.search(
        r"Device assignments active during op 'late' creation:\n  with tf.device\(/cpu:1\): <.*py:\d+>", text
    )
    assert re.search(
        r"Node-device colocations active during op 'early' creation:\n  with tf.colocate_with\(a\): <", text
    )
    assert "No device assignments were active during op 'early' creation." in text


def test_a_group_without_a_device():
    _on("/cpu:7", "a")
    b = _in_class(tf.add(2.0, 3.0, name="b"), "a")
    assert _failure(b) == (
        "Cannot assign a device for operation b: Could not satisfy explicit device specification '' because the node "
        "node b was colocated with a group of nodes that required incompatible device '/device:CPU:7'. All available "
        f"devices [{_CPU}0]. \nColocation Debug Info:\nColocation group had the following types and supported devices: "
        "\nRoot Member(assigned_device_name_index_=-1 requested_device_name_='/device:CPU:7' assigned_device_name_='' "
        "resource_device_name_='' supported_device_types_=[CPU] possible_devices_=[]\nAdd: CPU \nConst: CPU \n\n"
        "Colocation members, user-requested devices, and framework assigned devices, if any:\n"
        "  a (Const) /device:CPU:7\n  b (Add) \n\n\t [[node b]]"
    )


def test_the_whole_graph_is_placed():
    good = tf.constant(1.0)
    _on("/gpu:0", "bad")
    with tf.Session() as sess:
        for _ in range(2):
            with pytest.raises(tf.errors.InvalidArgumentError, match="operation bad: "):
                sess.run(good)


def test_a_failed_placement_can_be_mended():
    good, bad = tf.constant(1.0), _on("/gpu:0", "bad")
    with tf.Session() as sess:
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(good)
        bad.op._set_device("")
        assert sess.run([good, bad]) == [1.0, 1.0]


def test_no_cpu_at_all():
    with pytest.raises(tf.errors.NotFoundError, match="^No CPU devices are available in this process$"):
        _session(0)


def test_so_many_cpus_and_no_more():
    with _session(1024) as sess:
        assert sess.list_devices()[-1].name == _CPU + "1023"
    for cpus in (1025, 2**31 - 1):
        with pytest.raises(
            tf.errors.InvalidArgumentError,
            match=f"^device_count asks for {cpus} CPU devices; a session has up to 1024$",
        ):
            _session(cpus)


def test_gpus_in_device_count_do_not_matter():
    with tf.Session(config=tf.ConfigProto(device_count={"GPU": 3})) as sess:
        assert [d.name for d in sess.list_devices()] == [_CPU + "0"]


# -- Growing graphs --------------------------------------------------------------------------------------------------


def test_only_new_nodes_are_placed():
    a = tf.constant(1.0, name="a")
    with _session(2) as sess:
        assert sess.placements() == {}
        sess.run(a)
        assert sess.placements() == {"a": _CPU + "0"}
        a.op._set_device("/cpu:1")
        a.graph._mutations.clear()  # other tests cover the resulting warning
        b = _in_class(tf.negative(a, name="b"), "a")
        sess.run(b)
        assert sess.placements() == {"a": _CPU + "0", "b": _CPU + "0"}


def test_a_bad_node_stops_runs_that_worked_before():
    good = tf.constant(1.0)
    with tf.Session() as sess:
        call = sess.make_callable(good)
        assert sess.run(good) == call() == 1.0
        bad = _on("/gpu:0", "bad")
        for options in (None, tf.RunOptions()):
            with pytest.raises(
                tf.errors.InvalidArgumentError, match=r"operation bad: node bad \(defined at .*\.py:\d+\)"
            ):
                sess.run(good, options=options)
        assert call() == 1.0  # it was created before
        with pytest.raises(tf.errors.InvalidArgumentError, match="operation bad: "):
            sess.make_callable(good)
        bad.op._set_device("/cpu:0")
        assert sess.run([good, bad]) == [1.0, 1.0]


def test_variables_stay_with_all_that_use_them():
    with tf.device("/cpu:1"):
        v = tf.Variable(1.0, name="v", use_resource=False)
        r = tf.Variable(1.0, name="r", use_resource=True)
    with _session(2) as sess:
        sess.run(tf.global_variables_initializer())
        with tf.device("/cpu:0"):
            late = [tf.assign_add(v, 1.0, name="late"), r.assign_add(1.0)]
        sess.run(late)
        placed = sess.placements()
        assert {placed[name] for name in ("v", "v/Assign", "v/read", "late", "r", "r/Assign", late[1].op.name)} == {
            _CPU + "1"
        }


def test_interactive_sessions_place_what_they_run():
    good, bad = tf.constant(1.0, name="good"), _on("/gpu:0", "bad")
    config = tf.ConfigProto()
    for given in (None, config):
        sess = tf.InteractiveSession(config=given)
        assert good.eval() == 1.0
        assert sess.placements() == {"good": _CPU + "0"}
        with pytest.raises(tf.errors.InvalidArgumentError, match="operation bad: "):
            sess.run(bad)
        assert good.eval() == 1.0
        sess.close()
    assert config.graph_options.place_pruned_graph  # as in TensorFlow, the caller's message was changed


def test_any_session_may_place_what_it_runs():
    good = tf.constant(1.0)
    _on("/gpu:0")
    with _session(graph_options=tf.GraphOptions(place_pruned_graph=True)) as sess:
        assert sess.run(good) == 1.0


# -- Several devices -------------------------------------------------------------------------------------------------


def test_several_cpus_share_the_work_and_the_values():
    with tf.device("/cpu:1"):
        v = tf.Variable([1.0, 2.0], name="v")
        total = tf.reduce_sum(v * 2.0)
    here = total + 1.0
    with _session(2) as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run(here) == 7.0
        placed = sess.placements()
        assert placed[total.op.name] == _CPU + "1" and placed[here.op.name] == _CPU + "0"
        assert here.device == "" and total.device == "/device:CPU:1"  # the requested devices


def test_constants_go_where_they_are_used():
    a = tf.constant(1.0, name="a")
    unused = tf.constant(1.0, name="unused")
    with tf.device("/cpu:1"):
        b = tf.negative(a, name="b")
    shape = tf.get_default_graph().create_op("Shape", [b], name="shape").outputs[0]
    with _session(2) as sess:
        sess.run([b, shape])
        assert sess.placements() == {
            "a": _CPU + "1",
            "b": _CPU + "1",
            "shape": _CPU + "1",
            unused.op.name: _CPU + "0",
        }


def test_step_stats_are_listed_by_device():
    with tf.device("/cpu:1"):
        there = tf.add(tf.placeholder(tf.float32, [], name="x"), 1.0, name="there")
    here = tf.negative(there, name="here")
    metadata = tf.RunMetadata()
    with _session(2) as sess:
        sess.run(here, {"x:0": 1.0}, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
    listed = {d.device: {n.node_name for n in d.node_stats} for d in metadata.step_stats.dev_stats}
    assert "there" in listed[_CPU + "1"] and "here" in listed[_CPU + "0"]


# -- Soft placement --------------------------------------------------------------------------------------------------


def test_soft_placement_drops_type_and_id():
    fetches = [_on(d, n) for d, n in (("/gpu:0", "a"), ("/cpu:9", "b"), ("/job:localhost/device:TPU:1", "c"))]
    with _session(allow_soft_placement=True) as sess:
        assert sess.run(fetches) == [1.0] * 3
        assert set(sess.placements().values()) == {_CPU + "0"}


def test_soft_placement_keeps_job_and_task():
    assert "explicitly assigned to /job:ps/device:GPU:0" in _failure(_on("/job:ps/gpu:0"), allow_soft_placement=True)


def test_soft_placement_moves_resources_with_a_warning(caplog):
    with tf.device("/gpu:0"):
        v = tf.Variable(1.0, name="v")
    with _session(allow_soft_placement=True) as sess:
        sess.run(v.initializer)
        assert sess.run(v) == 1.0
    (record,) = [r for r in caplog.records if "Failed to place the graph without changing the devices" in r.message]
    assert record.name == "tinytf" and record.levelno == logging.WARNING
    assert "  v (VariableV2) /device:GPU:0\n" in record.message


def test_soft_placement_ignores_impossible_colocation(caplog):
    with tf.device("/cpu:0"):
        v = tf.Variable(1.0, name="v")
    with tf.device("/cpu:1"):
        w = tf.Variable(1.0, name="w")
    _in_class(w._variable if hasattr(w, "_variable") else w, "v")
    with (
        caplog.at_level(logging.INFO, "tinytf"),
        _session(2, allow_soft_placement=True, log_device_placement=True) as sess,
    ):
        sess.run([v.initializer, w.initializer])
        assert sess.placements()["w"] == _CPU + "1"
    assert any(
        r.levelno == logging.INFO
        and "Ignoring request to colocate node 'w' with nodes in colocation group 'v'" in r.message
        for r in caplog.records
    )


# -- The log ---------------------------------------------------------------------------------------------------------


def test_the_log_tells_each_placement_once(capsys, caplog):
    a = tf.constant(1.0, name="a")
    b = tf.negative(a, name="b")
    with caplog.at_level(logging.INFO, "tinytf"), _session(log_device_placement=True) as sess:
        assert capsys.readouterr() == ("Device mapping: no known devices.\n", "")
        sess.run(b)
        first = [f"b: (Neg): {_CPU}0", f"a: (Const): {_CPU}0"]
        assert capsys.readouterr() == ("\n".join(first) + "\n", "")
        sess.run(b)
        sess.run(a)
        assert capsys.readouterr() == ("", "")
        c = tf.negative(b, name="c")
        sess.run(c)
        last = f"c: (Neg): {_CPU}0"
        assert capsys.readouterr() == (last + "\n", "")
    logged = [(r.name, r.levelname, r.message) for r in caplog.records]
    assert logged == [("tinytf", "INFO", text) for text in ("Device mapping:\n", *first, last)]


@pytest.mark.parametrize("level", ["", "0", "1", "3"])
def test_lines_that_the_logger_does_not_take_go_to_standard_error(capsys, monkeypatch, level):
    monkeypatch.setenv("TF_CPP_MIN_LOG_LEVEL", level)
    a = tf.constant(1.0, name="a")
    with _session(log_device_placement=True) as sess:
        sess.run(tf.negative(a, name="b"))
    lines = [
        re.sub(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}: ", "", line) for line in capsys.readouterr().err.splitlines()
    ]
    told = [
        f"I tinytf/placement] {text}" for text in ("Device mapping:", "", f"b: (Neg): {_CPU}0", f"a: (Const): {_CPU}0")
    ]
    told[1] = ""
    assert lines == (told if level in ("", "0") else [])


def test_nothing_is_told_unasked(capfd):
    with _session() as sess:
        sess.run(tf.constant(1.0))
    assert capfd.readouterr() == ("", "")


def test_interactive_sessions_log_what_they_place(capsys):
    tf.constant(1.0, name="other")
    sess = tf.InteractiveSession(config=tf.ConfigProto(log_device_placement=True))
    mine = tf.constant(1.0, name="mine")
    sess.run(mine)
    assert capsys.readouterr().out == f"Device mapping: no known devices.\nmine: (Const): {_CPU}0\n"
    late = tf.negative(mine, name="late")
    sess.partial_run(sess.partial_run_setup([late], []), late)
    sess.close()
    assert capsys.readouterr().out == f"late: (Neg): {_CPU}0\n"


# -- The devices -----------------------------------------------------------------------------------------------------


def test_devices_are_listed():
    with _session(2) as sess:
        devices = sess.list_devices()
        assert [d.name for d in devices] == [_CPU + "0", _CPU + "1"]
        first = devices[0]
        assert (first.device_type, first.memory_limit_bytes) == ("CPU", 268435456)
        assert 0 < first.incarnation < 2**64 and first.incarnation != devices[1].incarnation
        assert repr(first) == f"_DeviceAttributes({_CPU}0, CPU, 268435456, {first.incarnation})"
        assert [d.incarnation for d in sess.list_devices()] == [d.incarnation for d in devices]
    with _session(1) as other:
        assert other.list_devices()[0].incarnation != first.incarnation
