"""Elements that are copied to a device."""


def copied(tf):
    return tf.data.Dataset.range(3).apply(tf.data.experimental.copy_to_device("/cpu:1"))


def copied_from_device(tf):
    dataset = tf.data.Dataset.from_tensor_slices({"a": [1, 2], "b": ["x", "y"]})
    return dataset.apply(tf.data.experimental.copy_to_device(target_device="/cpu:0", source_device="/cpu:0"))


def prefetched(tf):
    return tf.data.Dataset.range(3).apply(tf.data.experimental.prefetch_to_device("/cpu:0"))


def prefetched_with_buffer(tf):
    dataset = tf.data.Dataset.range(3).map(lambda x: x + 1)
    return dataset.apply(tf.data.experimental.prefetch_to_device("/cpu:0", buffer_size=2))


def copied_sparse(tf):
    dataset = tf.data.Dataset.from_tensors(tf.SparseTensor([[0]], [1], [2]))
    return dataset.apply(tf.data.experimental.copy_to_device("/cpu:0"))
