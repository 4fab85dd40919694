"""tinytf reads checkpoints of TensorFlow 1.15.5 and writes the same bytes."""

import json
import shutil
from pathlib import Path

import checkpoint_programs
import numpy as np
import pytest

import tinytf as tf

DATA = Path(__file__).with_name("data")
PART = np.arange(10, dtype=np.float32).reshape(5, 2)


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    """A folder with the same checkpoints written by tinytf."""
    folder = tmp_path_factory.mktemp("checkpoints")
    checkpoint_programs.write_all(tf, str(folder))
    return folder


def test_the_same_files_are_written(ours):
    digests = json.loads((DATA / "digests.json").read_text())
    kept = {path.name for path in DATA.iterdir()} - {"digests.json"}
    assert {path.name for path in ours.iterdir()} == kept | set(digests)
    for name in kept:
        assert (ours / name).read_bytes() == (DATA / name).read_bytes(), name
    assert checkpoint_programs.digests(str(ours)) == digests


def _restored(prefix, names, dtypes, texts=None):
    with tf.Graph().as_default(), tf.Session() as sess:
        texts = texts or [""] * len(names)
        return sess.run(tf.raw_ops.RestoreV2(prefix=prefix, tensor_names=names, shape_and_slices=texts, dtypes=dtypes))


def _check_values(prefix, but=()):
    values = {name: value for name, value in checkpoint_programs.values().items() if name not in but}
    dtypes = [tf.string if value.dtype == object else tf.as_dtype(value.dtype) for value in values.values()]
    for (name, expected), restored in zip(values.items(), _restored(prefix, list(values), dtypes), strict=True):
        assert restored.shape == expected.shape and restored.dtype == expected.dtype, name
        assert restored.tolist() == expected.tolist(), name


def test_types_of_1_15():
    _check_values(str(DATA / "types"))


def test_early_checkpoint_of_1_15():
    _check_values(str(DATA / "early"), but=("of/uint32", "of/uint64"))


@pytest.mark.parametrize("name", ["parts", "early", "merged"])
def test_parts_of_1_15(name):
    texts = ["", "5 2 -:-", "5 2 2,2:1,1", "5 2 0,3:0,2"]
    restored = _restored(str(DATA / name), ["part"] * 4, [tf.float32] * 4, texts)
    for value, expected in zip(restored, [PART, PART, PART[2:4, 1:], PART[:3]], strict=True):
        assert value.tolist() == expected.tolist()


def test_lists_of_1_15():
    raw = tf.raw_ops
    with tf.Graph().as_default(), tf.Session() as sess:
        names = [f"list{i}" for i in range(5)]
        full, partly, empty, strings, both = raw.RestoreV2(
            prefix=str(DATA / "lists"), tensor_names=names, shape_and_slices=[""] * 5, dtypes=[tf.variant] * 5
        )

        def stacked(handle, dtype, shape=(2,)):
            return raw.TensorListStack(input_handle=handle, element_shape=shape, element_dtype=dtype)

        values = sess.run([stacked(full, tf.float32), stacked(partly, tf.int32), stacked(strings, tf.string)])
        assert [value.tolist() for value in values] == [
            [[1, 2], [3, 4]],
            [[0, 0], [5, 6], [0, 0]],
            [[b"a", b"bc"]],
        ]
        assert sess.run([raw.TensorListLength(input_handle=h) for h in (empty, both[0], both[1])]) == [0, 2, 3]
        more = raw.TensorListPushBack(input_handle=empty, tensor=b"x")
        assert sess.run(raw.TensorListLength(input_handle=more)) == 1


def test_variants_of_other_types_are_not_saved(tmp_path):
    with tf.Graph().as_default(), tf.Session() as sess:
        optional = tf.raw_ops.OptionalFromValue(components=[1.0])
        with pytest.raises(tf.errors.UnimplementedError, match="cannot be saved"):
            checkpoint = tf.raw_ops.SaveV2(
                prefix=str(tmp_path / "m"), tensor_names=["o"], shape_and_slices=[""], tensors=[optional]
            )
            sess.run(checkpoint)
    assert not list(tmp_path.iterdir())
    reader = tf.train.NewCheckpointReader(str(DATA / "lists"))
    assert reader.get_variable_to_dtype_map()["list0"] == tf.variant
    with pytest.raises(
        tf.errors.UnimplementedError, match="Tensor list0 of type variant cannot be restored: no decoder is given"
    ):
        reader.get_tensor("list0")


def test_readers_of_1_15():
    reader = tf.train.NewCheckpointReader(str(DATA / "merged"))
    assert reader.get_variable_to_shape_map() == {"part": [5, 2], "v0": [2], "v1": [2]}
    assert reader.get_tensor("v1").tolist() == [1, 1.5]
    early = tf.train.NewCheckpointReader(str(DATA / "early"))
    types = tf.train.NewCheckpointReader(str(DATA / "types"))
    shared = early.get_variable_to_dtype_map().keys() & types.get_variable_to_dtype_map().keys()
    assert len(shared) > 12
    for name in shared:
        assert np.array_equal(early.get_tensor(name), types.get_tensor(name)), name


@pytest.mark.oracle
def test_1_15_reads_ours(ours, oracle1):
    source = """
values = {}
for name in ("types", "early", "parts", "merged"):
    dtypes = tf.train.NewCheckpointReader(folder + "/" + name).get_variable_to_dtype_map()
    restored = tf.raw_ops.RestoreV2(
        prefix=folder + "/" + name,
        tensor_names=list(dtypes),
        shape_and_slices=[""] * len(dtypes),
        dtypes=list(dtypes.values()),
    )
    with tf.Session() as sess:
        values[name] = {key: value.tolist() for key, value in zip(dtypes, sess.run(restored))}
result = values
"""
    read = oracle1(source, folder=str(ours))
    expected = {name: value.tolist() for name, value in checkpoint_programs.values().items()}
    assert read["types"] == expected
    assert read["early"].pop("part") == PART.tolist()
    assert read["early"].items() <= expected.items() and len(read["early"]) == len(expected) - 2
    assert read["parts"] == {"part": PART.tolist()}
    assert read["merged"] == {"part": PART.tolist(), "v0": [0, 0.5], "v1": [1, 1.5]}


def test_a_checkpoint_over_another_is_the_same(ours, tmp_path):
    for name in ("types.index", "types.data-00000-of-00001"):
        shutil.copy(ours / name, tmp_path / name.replace("types", "m"))
    prefix = str(tmp_path / "m")
    checkpoint_programs.save(tf, prefix, ["part"] * 2, *zip(*checkpoint_programs.PARTS, strict=True))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.data-00000-of-00001", "m.index"]
    assert (tmp_path / "m.index").read_bytes() == (DATA / "parts.index").read_bytes()
