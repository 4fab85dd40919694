"""Ops of checkpoints, run with what is fed, so that nothing is known of it before."""

import numpy as np

import tinytf as tf


def _run(op, feeds, **attrs):
    with tf.Graph().as_default(), tf.Session() as sess:
        fed = {name: tf.placeholder(tf.string) for name in feeds}
        made = op(**fed, **{name: value() if callable(value) else value for name, value in attrs.items()})
        return sess.run(made, {fed[name]: np.array(value, object) for name, value in feeds.items()})


def save(prefix, names, texts, *arrays):
    """Runs SaveV2."""
    feeds = {"prefix": prefix, "tensor_names": names, "shape_and_slices": texts}
    return _run(tf.raw_ops.SaveV2, feeds, tensors=lambda: [tf.constant(a) for a in arrays])


def restore(prefix, names, texts, *dtypes):
    """What RestoreV2 yields."""
    feeds = {"prefix": prefix, "tensor_names": names, "shape_and_slices": texts}
    return _run(tf.raw_ops.RestoreV2, feeds, dtypes=list(dtypes))


def merge(prefixes, destination):
    """Runs MergeV2Checkpoints."""
    return _run(tf.raw_ops.MergeV2Checkpoints, {"checkpoint_prefixes": prefixes, "destination_prefix": destination})


def save_early(filename, names, texts, *arrays):
    """Runs SaveSlices, or Save where there are no texts."""
    feeds = {"filename": filename, "tensor_names": names}
    if texts is None:
        return _run(tf.raw_ops.Save, feeds, data=lambda: [tf.constant(a) for a in arrays])
    feeds["shapes_and_slices"] = texts
    return _run(tf.raw_ops.SaveSlices, feeds, data=lambda: [tf.constant(a) for a in arrays])


def restore_early(pattern, name, text, dtype):
    """What RestoreSlice yields, or Restore where there is no text."""
    feeds = {"file_pattern": pattern, "tensor_name": name}
    if text is None:
        return _run(tf.raw_ops.Restore, feeds, dt=dtype)
    return _run(tf.raw_ops.RestoreSlice, {**feeds, "shape_and_slice": text}, dt=dtype)
