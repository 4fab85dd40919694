"""Runs checkpoint ops with fed inputs, so that no value is statically known."""

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
    """Returns the outputs of RestoreV2."""
    feeds = {"prefix": prefix, "tensor_names": names, "shape_and_slices": texts}
    return _run(tf.raw_ops.RestoreV2, feeds, dtypes=list(dtypes))


def merge(prefixes, destination):
    """Runs MergeV2Checkpoints."""
    return _run(tf.raw_ops.MergeV2Checkpoints, {"checkpoint_prefixes": prefixes, "destination_prefix": destination})


def save_early(filename, names, texts, *arrays):
    """Runs SaveSlices, or Save if `texts` is None."""
    feeds = {"filename": filename, "tensor_names": names}
    if texts is None:
        return _run(tf.raw_ops.Save, feeds, data=lambda: [tf.constant(a) for a in arrays])
    feeds["shapes_and_slices"] = texts
    return _run(tf.raw_ops.SaveSlices, feeds, data=lambda: [tf.constant(a) for a in arrays])


def restore_early(pattern, name, text, dtype):
    """Returns the output of RestoreSlice, or of Restore if `text` is None."""
    feeds = {"file_pattern": pattern, "tensor_name": name}
    if text is None:
        return _run(tf.raw_ops.Restore, feeds, dt=dtype)
    return _run(tf.raw_ops.RestoreSlice, {**feeds, "shape_and_slice": text}, dt=dtype)
