"""Parsing and merging of device names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tinytf._src.framework.graph import device
from tinytf._src.framework.graph.device import DeviceSpec

specs = st.builds(
    DeviceSpec,
    job=st.none() | st.sampled_from(["worker", "ps"]),
    replica=st.none() | st.integers(0, 3),
    task=st.none() | st.integers(0, 3),
    device_type=st.none() | st.sampled_from(["CPU", "GPU", "XLA_CPU"]),
)


@pytest.mark.parametrize(
    "text, canonical",
    [
        ("", ""),
        (None, ""),
        ("/cpu:0", "/device:CPU:0"),
        ("cpu", "/device:CPU:*"),
        ("/gPu:*", "/device:GPU:*"),
        ("/device:gpu:2", "/device:GPU:2"),
        ("/device:Xla_cpu:1", "/device:Xla_cpu:1"),
        ("/job:ps/replica:1/task:2/device:CPU:3", "/job:ps/replica:1/task:2/device:CPU:3"),
        ("/task:2/job:ps", "/job:ps/task:2"),
        ("//job:a", "/job:a"),
    ],
)
def test_canonical_names(text, canonical):
    assert device.canonical_name(text) == canonical
    assert DeviceSpec.from_string(text).to_string() == canonical
    device.check_valid(text)


@pytest.mark.parametrize(
    "text, message",
    [
        ("/cpu:0/gpu:0", "Cannot specify multiple device types: /cpu:0/gpu:0"),
        ("/device:GPU:0/cpu:1", "Cannot specify multiple device types: /device:GPU:0/cpu:1"),
        ("/jobs:a", "Unknown attribute: 'jobs' in '/jobs:a'"),
        ("/device:GPU", "Unknown attribute: 'device' in '/device:GPU'"),
        ("/cpu:0:1", "Unknown attribute: 'cpu' in '/cpu:0:1'"),
        ("/task:x", "invalid literal for int() with base 10: 'x'"),
        ("/cpu:x", "invalid literal for int() with base 10: 'x'"),
    ],
)
def test_bad_names(text, message):
    with pytest.raises(ValueError) as error:
        device.check_valid(text)
    assert str(error.value) == message


@given(specs)
def test_text_round_trip(spec):
    again = DeviceSpec.from_string(spec.to_string())
    assert again == spec and hash(again) == hash(spec) and again is not spec


@given(specs, specs)
def test_merging_prefers_what_the_argument_has(a, b):
    merged = a.make_merged_spec(b)
    for field in ("job", "replica", "task", "device_type", "device_index"):
        theirs = getattr(b, field)
        assert getattr(merged, field) == (getattr(a, field) if theirs is None else theirs)
    a.merge_from(b)
    assert a == merged


def test_setters_convert():
    spec = DeviceSpec()
    spec.job, spec.task, spec.replica, spec.device_type, spec.device_index = "w", "3", 2.0, "gpu", "1"
    assert spec.to_string() == "/job:w/replica:2/task:3/device:GPU:1"
    assert spec.parse_from_string("/cpu:0") is spec and spec.to_string() == "/device:CPU:0"
    assert spec.replace(job="a").to_string() == "/job:a/device:CPU:0" and spec.job is None
    assert spec != "/device:CPU:0"


class Node:
    def __init__(self, name):
        self.device = name


def test_scopes_fill_what_is_open():
    merge = device.merge_device("/job:w/cpu:0")
    assert merge(Node("/gpu:1")).to_string() == "/job:w/device:GPU:1"
    assert merge.shortcut_string_merge(Node("")) == merge.merge_name(None) == "/job:w/device:CPU:0"
    assert device.merge_device("/job:w/device:CPU:0") is merge and device.merge_device(merge) is merge
    assert device.merge_device("").is_null_merge and not merge.is_null_merge
    assert repr(merge).endswith("(spec: /job:w/device:CPU:0)")
    with pytest.raises(ValueError, match="Unknown attribute: 'jop'"):
        device.merge_device("/jop:a")


def test_a_merge_keeps_the_spec_it_was_made_of():
    spec = DeviceSpec(job="a")
    merge = device.merge_device(spec)
    spec.job = "b"
    assert merge.merge_name("/cpu:0") == "/job:a/device:CPU:0"
    assert device.is_device_spec(spec) and not device.is_device_spec(merge)
