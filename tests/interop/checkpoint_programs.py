"""Programs that save checkpoints with TensorFlow 1.15.5 and with tinytf; `tests/interop/data` contains the files of
1.15.5.

With TensorFlow 1.15.5 installed, `python tests/interop/checkpoint_programs.py tests/interop/data` writes them again.
"""

import hashlib
import json
import os
import sys

import numpy as np

NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()


def values():
    """Maps names to values of every NumPy dtype and of special shapes."""
    all_values = {"of/" + name: np.arange(6).reshape(2, 3).astype(name) for name in NAMES}
    all_values["scalar"] = np.float32(1)
    all_values["none"] = np.zeros((0, 3), np.int32)
    all_values["strings"] = np.array([[b"a", b"bc"], [b"", b"\x00\xff" * 100]], object)
    all_values["no strings"] = np.zeros((0,), object)
    all_values["B"] = np.array([7], np.int64)
    return all_values


# (slice spec, value) pairs for the tensor "part" of shape [5, 2].
PARTS = [
    ("5 2 0,3:0,2", np.arange(6, dtype=np.float32).reshape(3, 2)),
    ("5 2 3,2:0,2", np.arange(6, 10, dtype=np.float32).reshape(2, 2)),
]


def _constants(tf, arrays):
    return [tf.constant(a, tf.string if np.asarray(a).dtype == object else None) for a in arrays]


def save(tf, prefix, names, texts, arrays):
    """Runs SaveV2."""
    with tf.Graph().as_default(), tf.Session() as sess:
        tensors = _constants(tf, arrays)
        sess.run(tf.raw_ops.SaveV2(prefix=prefix, tensor_names=names, shape_and_slices=texts, tensors=tensors))


def save_early(tf, filename, names, texts, arrays):
    """Runs SaveSlices."""
    with tf.Graph().as_default(), tf.Session() as sess:
        data = _constants(tf, arrays)
        sess.run(tf.raw_ops.SaveSlices(filename=filename, tensor_names=names, shapes_and_slices=texts, data=data))


def lists(tf):
    """Tensor lists: full, partially set, of strings, empty; the last tensor contains two lists."""
    raw = tf.raw_ops
    full = raw.TensorListFromTensor(tensor=[[1.0, 2.0], [3.0, 4.0]], element_shape=[2])
    partly = raw.TensorListReserve(element_shape=[2], num_elements=3, element_dtype=tf.int32)
    partly = raw.TensorListSetItem(input_handle=partly, index=1, item=[5, 6])
    empty = raw.EmptyTensorList(element_shape=tf.constant(-1), max_num_elements=7, element_dtype=tf.string)
    strings = raw.TensorListPushBack(input_handle=empty, tensor=[b"a", b"bc"])
    return [full, partly, empty, strings, raw.Pack(values=[full, partly])]


def save_lists(tf, prefix):
    """Runs SaveV2 on tensor lists."""
    with tf.Graph().as_default(), tf.Session() as sess:
        made = lists(tf)
        names = [f"list{i}" for i in range(len(made))]
        texts = [""] * len(made)
        sess.run(tf.raw_ops.SaveV2(prefix=prefix, tensor_names=names, shape_and_slices=texts, tensors=made))


def write_all(tf, folder):
    """Writes all checkpoints."""
    save_lists(tf, folder + "/lists")
    every = values()
    names, arrays = list(every), list(every.values())
    save(tf, folder + "/types", names, [""] * len(names), arrays)
    save(tf, folder + "/parts", ["part"] * 2, [text for text, _ in PARTS], [value for _, value in PARTS])
    many = [f"layer_{i:05d}/weights_with_a_name_of_some_length_so_that_the_index_has_blocks" for i in range(8000)]
    save(tf, folder + "/many", many, [""] * len(many), [np.float32(i) for i in range(len(many))])
    early = [name for name in names if name not in ("of/uint32", "of/uint64")]
    save_early(
        tf,
        folder + "/early",
        [*early, "part", "part"],
        [""] * len(early) + [text for text, _ in PARTS],
        [every[name] for name in early] + [value for _, value in PARTS],
    )
    shards = [f"{folder}/shards_temp/part-0000{i}-of-00002" for i in range(2)]
    for i, shard in enumerate(shards):
        save(tf, shard, [f"v{i}", "part"], ["", PARTS[i][0]], [np.float32([i, i + 0.5]), PARTS[i][1]])
    with tf.Graph().as_default(), tf.Session() as sess:
        sess.run(tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=shards, destination_prefix=folder + "/merged"))


def digests(folder):
    """Maps names to SHA-256 digests of the files that are too large to be kept."""
    large = [name for name in sorted(os.listdir(folder)) if os.path.getsize(os.path.join(folder, name)) > 10000]
    found = {}
    for name in large:
        with open(os.path.join(folder, name), "rb") as file:
            found[name] = hashlib.sha256(file.read()).hexdigest()
    return found


if __name__ == "__main__":
    import tensorflow

    os.makedirs(sys.argv[1], exist_ok=True)
    write_all(tensorflow, sys.argv[1])
    with open(sys.argv[1] + "/digests.json", "w") as told:
        json.dump(digests(sys.argv[1]), told, indent=1)
        told.write("\n")
    for large in digests(sys.argv[1]):
        os.remove(os.path.join(sys.argv[1], large))
