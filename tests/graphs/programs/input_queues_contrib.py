"""Bucketing and sampling functions of `tf.contrib.training`."""


def _texts(tf):
    return tf.placeholder(tf.string, [5], name="texts")


def _example(tf):
    return [tf.constant([1.0, 2.0]), tf.constant("a")]


def _sparse(tf):
    return tf.SparseTensor(tf.placeholder(tf.int64, [None, 2]), [1.0, 2.0], [3, 4])


def bucket(tf):
    tf.contrib.training.bucket(_example(tf), 1, 3, 2)


def bucket_of_one_tensor(tf):
    tf.contrib.training.bucket([tf.placeholder(tf.float32, [2])], tf.placeholder(tf.int32, []), 3, 1)
    tf.contrib.training.bucket((tf.constant(1.0),), 0, 1, 1, name="second")
    tf.contrib.training.bucket({"a": tf.constant(1.0)}, 0, 1, 1)


def bucket_with_options(tf):
    tf.contrib.training.bucket(
        {"b": tf.placeholder(tf.int32, [None, 2]), "a": tf.constant([2])},
        tf.constant(1),
        [2, 3, 4],
        3,
        num_threads=2,
        capacity=9,
        bucket_capacities=[5, 6, 7],
        dynamic_pad=True,
        allow_smaller_final_batch=True,
        keep_input=tf.placeholder(tf.bool, []),
        shared_name="shared",
        name="made",
    )


def bucket_with_sizes(tf):
    tf.contrib.training.bucket(_example(tf), 0, [2, 3], 2)
    tf.contrib.training.bucket(_example(tf), 0, tf.placeholder(tf.int32, []), 2)
    tf.contrib.training.bucket(_example(tf), 0, [tf.placeholder(tf.int32, []), tf.constant(4)], 2)
    tf.contrib.training.bucket(_example(tf), 0, 3, 2, allow_smaller_final_batch=True)


def bucket_with_shapes(tf):
    tf.contrib.training.bucket([tf.placeholder(tf.float32)], 0, 3, 2, shapes=[[2]])
    tf.contrib.training.bucket([tf.placeholder(tf.float32)], 0, 3, 2, shapes=[[None, 3]], dynamic_pad=True)


def bucket_of_what_is_kept(tf):
    tf.contrib.training.bucket(_example(tf), 0, 3, 2, keep_input=False)
    tf.contrib.training.bucket(_example(tf), 0, 3, 2, keep_input=tf.constant(True))
    tf.contrib.training.bucket(_example(tf), 0, 3, 2, keep_input=tf.Variable(True, use_resource=False))


def bucket_of_sparse(tf):
    tf.contrib.training.bucket([_sparse(tf), tf.constant(1)], 0, 3, 2)
    tf.contrib.training.bucket([_sparse(tf)], 0, 3, 2, keep_input=tf.placeholder(tf.bool, []))
    tf.contrib.training.bucket({"s": _sparse(tf)}, 0, [3, 4], 2, allow_smaller_final_batch=True)


def bucket_in_scopes(tf):
    with tf.name_scope("outer"), tf.device("/cpu:0"):
        tf.contrib.training.bucket(_example(tf), 1, 3, 2, name="inner")
    with tf.control_dependencies([tf.constant(1.0)]):
        tf.contrib.training.bucket(_example(tf), 1, 3, 2)


def bucket_by_sequence_length(tf):
    tf.contrib.training.bucket_by_sequence_length(7, _example(tf), 3, [5, 10])


def bucket_by_sequence_length_of_one_boundary(tf):
    tf.contrib.training.bucket_by_sequence_length(tf.placeholder(tf.int32, []), {"a": tf.constant(1.0)}, 3, (5,))
    tf.contrib.training.bucket_by_sequence_length(2, [], 3, [5])
    tf.contrib.training.bucket_by_sequence_length([1, 2], [tf.constant(1.0)], 3, [True])


def bucket_by_sequence_length_with_options(tf):
    tf.contrib.training.bucket_by_sequence_length(
        tf.placeholder(tf.int32, []),
        {"b": tf.placeholder(tf.int32), "a": tf.constant([2])},
        [2, 3, 4],
        [-5, 5],
        num_threads=2,
        capacity=9,
        bucket_capacities=[5, 6, 7],
        shapes=[[1], [None, 2]],
        dynamic_pad=True,
        allow_smaller_final_batch=True,
        keep_input=tf.placeholder(tf.bool, []),
        shared_name="shared",
        name="made",
    )


def bucket_by_sequence_length_of_sparse(tf):
    tf.contrib.training.bucket_by_sequence_length(tf.placeholder(tf.int32, []), [_sparse(tf)], 3, [5])


def resample_at_rate(tf):
    tf.contrib.training.resample_at_rate([_texts(tf), tf.placeholder(tf.float32, [5, 2])], [1.0, 2.0, 0.5, 0.0, 3.0])


def resample_at_rate_with_options(tf):
    rates = tf.placeholder(tf.float64)
    tf.contrib.training.resample_at_rate((_texts(tf),), rates, "made", seed=3, back_prop=True)
    tf.contrib.training.resample_at_rate([], rates)


def resample_at_rate_with_gradients(tf):
    x, rates = tf.placeholder(tf.float32, [3]), tf.placeholder(tf.float32, [3])
    for back_prop in (False, True):
        chosen = tf.contrib.training.resample_at_rate([x], rates, back_prop=back_prop)
        tf.gradients(chosen, [x, rates])


def weighted_resample(tf):
    tf.contrib.training.weighted_resample([_texts(tf)], tf.placeholder(tf.float32, [5]), 0.5)


def weighted_resample_with_options(tf):
    weights = tf.placeholder(tf.float64, [None])
    tf.contrib.training.weighted_resample([_texts(tf), weights], weights, tf.constant(2.0, tf.float64), "made", 0.9, 7)
    with tf.variable_scope("outer"):
        tf.contrib.training.weighted_resample([], weights, 1)
        tf.contrib.training.weighted_resample([weights], weights, 1)


def rejection_sample(tf):
    tf.contrib.training.rejection_sample(_example(tf), lambda example: (tf.tanh(example[0][0]) + 1) / 2, 3)


def rejection_sample_of_many(tf):
    tf.contrib.training.rejection_sample(
        [_texts(tf), tf.placeholder(tf.float32, [None, 2])],
        lambda example: example[1][0],
        3,
        queue_threads=2,
        enqueue_many=True,
        prebatch_capacity=7,
        prebatch_threads=3,
        runtime_checks=True,
        name="made",
    )


def rejection_sample_of_one_tensor(tf):
    tf.contrib.training.rejection_sample([tf.constant(1.0)], lambda example: 0.5, tf.constant(3))
    tf.contrib.training.rejection_sample([tf.constant(1.0)], lambda example: 0.5, 3, runtime_checks=True)
    tf.contrib.training.rejection_sample([_sparse(tf)], lambda example: tf.constant(0.5), 2)


def rejection_sample_with_variables(tf):
    with tf.variable_scope("outer"):
        for _ in range(2):
            tf.contrib.training.rejection_sample(_example(tf), lambda example: tf.get_variable("p", []), 3)


def stratified_sample(tf):
    tf.contrib.training.stratified_sample([tf.constant([1.0, 2.0])], 1, [0.3, 0.7], 4)


def stratified_sample_of_many(tf):
    tf.contrib.training.stratified_sample(
        [_texts(tf), tf.placeholder(tf.float32, [None, 2])],
        tf.placeholder(tf.int64, [5]),
        tf.constant([0.2, 0.8]),
        4,
        init_probs=[0.5, 0.5],
        enqueue_many=True,
        queue_capacity=7,
        threads_per_queue=2,
        name="made",
    )


def stratified_sample_estimated(tf):
    with tf.variable_scope("outer"):
        tf.contrib.training.stratified_sample(
            [_texts(tf)], tf.placeholder(tf.int32, [5]), tf.Variable([1.0]), 4, enqueue_many=True
        )
