"""SaveV2, RestoreV2 and MergeV2Checkpoints work, with the error messages of TensorFlow 1.15.5."""

import os

import numpy as np
import pytest
from checkpoint_runs import merge, restore, save

import tinytf as tf

PARTS = ["5 2 0,3:0,2", "5 2 3,2:0,2"]
PART_VALUES = [np.arange(6, dtype=np.float32).reshape(3, 2), np.arange(6, 10, dtype=np.float32).reshape(2, 2)]
ERRORS = tf.errors


@pytest.fixture
def prefix(tmp_path):
    """The prefix of a checkpoint with the tensors a, i, s, and p in two parts."""
    name = str(tmp_path / "x")
    save(
        name,
        ["a", "i", "s", "p", "p"],
        ["", "", "", *PARTS],
        np.float32([1, 2, 3]),
        np.int32(7),
        np.array([b"ab", b"c"]),
        *PART_VALUES,
    )
    return name


def test_what_was_saved_is_restored(prefix):
    a, p, s, i = restore(prefix, ["a", "p", "s", "i"], [""] * 4, tf.float32, tf.float32, tf.string, tf.int32)
    assert a.tolist() == [1, 2, 3] and i == 7 and s.tolist() == [b"ab", b"c"]
    assert p.tolist() == np.arange(10).reshape(5, 2).tolist()


def test_large_tensors_and_many_small_ones(tmp_path):
    rng = np.random.default_rng(1)
    arrays = [
        rng.standard_normal(size).astype(np.float32) for size in ([1500, 1700], [3], [0], [2_000_001], *[[5]] * 99)
    ]
    names = [f"v{i}" for i in range(len(arrays))]
    save(str(tmp_path / "m"), names, [""] * len(names), *arrays)
    restored = restore(str(tmp_path / "m"), names[::-1], [""] * len(names), *[tf.float32] * len(names))
    assert all(np.array_equal(r, a) for r, a in zip(restored[::-1], arrays, strict=True))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a", "3 0,2", [1, 2]),
        ("a", "3 2,1", [3]),
        ("a", "3 -", [1, 2, 3]),
        ("p", "5 2 1,3:1,1", [[3], [5], [7]]),
        ("p", "5 2 4,1:0,1", [[8]]),
        ("s", "2 1,1", [b"c"]),
    ],
)
def test_parts_are_restored(prefix, name, text, expected):
    dtype = tf.string if name == "s" else tf.float32
    assert restore(prefix, [name], [text], dtype)[0].tolist() == expected


@pytest.mark.parametrize(
    ("names", "texts", "dtypes", "error", "message"),
    [
        (["zz"], [""], [tf.float32], ERRORS.NotFoundError, "Key zz not found in checkpoint"),
        ([""], [""], [tf.float32], ERRORS.NotFoundError, "Key  not found in checkpoint"),
        (
            ["i", "a"],
            ["", ""],
            [tf.float32, tf.int32],
            ERRORS.InvalidArgumentError,
            "tensor_name = a; expected dtype int32 does not equal original dtype float\n"
            "tensor_name = i; expected dtype float does not equal original dtype int32",
        ),
        (
            ["a"],
            ["4 0,2"],
            [tf.float32],
            ERRORS.InvalidArgumentError,
            "tensor_name = a; shape in shape_and_slice spec [4] does not match the shape stored in checkpoint: [3]",
        ),
        (
            ["a"],
            ["3 0,4"],
            [tf.float32],
            ERRORS.InternalError,
            "Extent in dimension 0 out of bounds: shape = [3], slice = 0,4",
        ),
        (
            ["a"],
            ["bad"],
            [tf.float32],
            ERRORS.InvalidArgumentError,
            "Need least two elements in shape_and_slice specification: bad",
        ),
        (["a"], [""], [tf.float32] * 2, ERRORS.InvalidArgumentError, "Got 1 tensor names, but 2 expected dtypes."),
        (
            "a",
            [""],
            [tf.float32],
            ERRORS.InvalidArgumentError,
            "Input tensor_names and shape_and_slices should be an 1-D tensors, got [] and [1] instead.",
        ),
        (
            ["a", "i"],
            [""],
            [tf.float32],
            ERRORS.InvalidArgumentError,
            "tensor_names and shape_and_slices have different number of elements: 2 vs. 1",
        ),
    ],
)
def test_what_cannot_be_restored(prefix, names, texts, dtypes, error, message):
    with pytest.raises(error) as raised:
        restore(prefix, names, texts, *dtypes)
    assert raised.value.message.startswith(message)


@pytest.mark.parametrize(
    ("names", "texts", "arrays", "message"),
    [
        (["a", "a"], ["", ""], [1.0, 2.0], "Adding duplicate key: a"),
        ([""], [""], [1.0], "A tensor cannot be saved under an empty name"),
        (["a", "b"], ["", ""], [1.0], "Got 2 tensor names but 1 tensors."),
        (
            ["a"],
            ["2 2 0,1:-"],
            [np.zeros((2, 2), np.float32)],
            "Slice in shape_and_slice specification does not match the shape of the tensor to  save: 2 2 0,1:-, tensor: "
            "[2,2]",
        ),
        (["p", "p"], ["4 0,2", "5 2,2"], [np.float32([1, 2])] * 2, "Slices of p have different types or shapes"),
    ],
)
def test_what_cannot_be_saved_leaves_nothing(tmp_path, names, texts, arrays, message):
    with pytest.raises(ERRORS.InvalidArgumentError) as raised:
        save(str(tmp_path / "m"), names, texts, *arrays)
    assert raised.value.message.startswith(message)
    assert not list(tmp_path.iterdir())


def test_prefixes(tmp_path):
    with pytest.raises(ERRORS.InvalidArgumentError, match="Input prefix should have a single element, got 2 instead"):
        save(["x", "y"], ["a"], [""], 1.0)
    save([str(tmp_path / "one/m")], ["a"], [""], 1.0)  # the folder is created
    assert sorted(os.listdir(tmp_path / "one")) == ["m.data-00000-of-00001", "m.index"]
    with pytest.raises(ERRORS.NotFoundError, match="/x/y; No such file or directory"):
        save(str(tmp_path / "x/y/m"), ["a"], [""], 1.0)
    save(f"{tmp_path}/w5/", ["a"], [""], 1.0)
    assert sorted(os.listdir(tmp_path / "w5")) == [".data-00000-of-00001", ".index"]
    none, folder = str(tmp_path / "none"), str(tmp_path / "no")
    unsuccessful = "Unsuccessful TensorSliceReader constructor: Failed to "
    with pytest.raises(ERRORS.NotFoundError) as raised:
        restore(none, ["a"], [""], tf.float32)
    assert raised.value.message.startswith(f"{unsuccessful}find any matching files for {none}")
    with pytest.raises(ERRORS.InvalidArgumentError) as raised:
        restore(folder + "/m", ["a"], [""], tf.float32)
    assert raised.value.message.startswith(
        f"{unsuccessful}get matching files on {folder}/m: Not found: {folder}; No such file or directory"
    )


def test_gaps_between_parts(tmp_path):
    name = str(tmp_path / "g")
    save(name, ["p", "p"], ["5 0,2", "5 3,2"], np.float32([0, 1]), np.float32([3, 4]))
    assert restore(name, ["p"], ["5 3,2"], tf.float32)[0].tolist() == [3, 4]
    for text, told in (("", "-"), ("5 1,2", "1,2")):
        with pytest.raises(ERRORS.InvalidArgumentError) as raised:
            restore(name, ["p"], [text], tf.float32)
        assert raised.value.message.startswith(
            f"Does not have sufficient slices for partitioned tensor p to restore in slice_spec: {told}"
        )
    os.remove(name + ".data-00000-of-00001")
    with pytest.raises(ERRORS.NotFoundError, match="g.data-00000-of-00001; No such file or directory"):
        restore(name, ["p"], ["5 3,2"], tf.float32)


def test_resources_are_not_saved(tmp_path):
    with tf.Graph().as_default(), tf.Session() as sess:
        handle = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[])
        with pytest.raises(ERRORS.UnimplementedError, match="Tensors of type resource cannot be saved"):
            sess.run(
                tf.raw_ops.SaveV2(
                    prefix=str(tmp_path / "m"), tensor_names=["h"], shape_and_slices=[""], tensors=[handle]
                )
            )
    assert not list(tmp_path.iterdir())


def test_shards_are_merged(tmp_path):
    shards = [str(tmp_path / f"t/p{i}") for i in range(2)]
    for i, shard in enumerate(shards):
        save(shard, [f"v{i}", "p"], ["", PARTS[i]], np.float32(i), PART_VALUES[i])
    with pytest.raises(ERRORS.NotFoundError, match="p9.index; No such file or directory"):
        merge([shards[0], str(tmp_path / "t/p9")], str(tmp_path / "m"))
    with pytest.raises(ERRORS.InvalidArgumentError, match="Duplicate tensor keyed by"):
        merge([shards[0], shards[0]], str(tmp_path / "m"))
    assert len(os.listdir(tmp_path / "t")) == 4
    merge(shards, str(tmp_path / "n/m"))
    assert sorted(os.listdir(tmp_path)) == ["n"]
    v0, v1, p = restore(str(tmp_path / "n/m"), ["v0", "v1", "p"], [""] * 3, *[tf.float32] * 3)
    assert (v0, v1) == (0, 1)
    assert p.tolist() == np.arange(10).reshape(5, 2).tolist()


def test_inputs_of_merges(tmp_path):
    with pytest.raises(
        ERRORS.InvalidArgumentError, match="Input checkpoint_prefixes should be an 1-D tensor, got .. inst"
    ):
        merge("p", str(tmp_path / "m"))
    with pytest.raises(
        ERRORS.InvalidArgumentError, match="Input destination_prefix should be a scalar tensor, got .2. in"
    ):
        merge(["p"], ["m", "n"])


def test_shapes_are_told_by_texts():
    with tf.Graph().as_default():
        made = tf.raw_ops.RestoreV2(
            prefix="m", tensor_names=["a", "b"], shape_and_slices=["", "5 2 0,3:-"], dtypes=[tf.float32] * 2
        )
        assert made[0].shape.ndims is None
        assert made[1].shape.as_list() == [3, 2]


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        (([1], [1], [1]), "Shape must be rank 0 but is rank 1"),
        (([], [], [1]), "Shape must be rank 1 but is rank 0"),
        (([], [2], [1]), "Dimension must be 1 but is 2"),
        (([], [1], [2]), "Dimension must be 1 but is 2"),
    ],
)
def test_shapes_of_inputs(shapes, message):
    with tf.Graph().as_default():
        prefix, names, texts = (tf.placeholder(tf.string, shape) for shape in shapes)
        with pytest.raises(ValueError, match=message):
            tf.raw_ops.SaveV2(prefix=prefix, tensor_names=names, shape_and_slices=texts, tensors=[tf.constant(1.0)])
