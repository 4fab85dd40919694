"""Datasets, iterators, their graphs, elements and errors are as in TensorFlow 1.15.5."""

import pytest
from data_programs import load_programs, outcome_of, recorded_outcomes

import tinytf as tf

# Functions with other nodes than in TensorFlow: conditions that AutoGraph converts carry no flags of returns,
# calls of functions no settings of GPUs, and sizes of arrays are known;
# functions that copy from device to device lack an attribute for GPUs.
_OTHER_NODES = {
    f"traced_functions/{name}" for name in "map_condition filter_condition map_tf_function map_tensor_array".split()
} | {
    f"device_copies/{name}"
    for name in "copied copied_from_device copied_sparse prefetched prefetched_with_buffer".split()
}
# TensorFlow refuses slack behind stages that measure, and the rewrite of a function in which a repeat and another stage
# share a shuffle. The name of another device is in the text of an error.
_OTHER_ELEMENTS = {"iterators/options_all", "rewritten/in_flat_map_shared_shuffle", "device_copies/copied"}
_OTHER_SPECS = {"traced_functions/map_tensor_array"}  # its size is known here
_PROGRAMS, _RECORDED = load_programs(), recorded_outcomes()


@pytest.mark.parametrize("name", _PROGRAMS)
def test_like_tensorflow(name):
    found, expected = outcome_of(tf, _PROGRAMS[name]), dict(_RECORDED[name])
    for key, others in (("graph", _OTHER_NODES), ("elements", _OTHER_ELEMENTS), ("spec", _OTHER_SPECS)):
        if name in others:
            assert found.pop(key) != expected.pop(key), f"{key}: it is listed for no reason"
    assert found == expected


def test_no_program_is_left_out():
    assert set(_PROGRAMS) == set(_RECORDED)
