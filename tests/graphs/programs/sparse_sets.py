"""Set ops, parts of SparseTensors, and related checks and counts."""


def _sparse(tf, dtype="int64", shape=None):
    return tf.sparse_placeholder(tf.as_dtype(dtype), shape)


def set_operations(tf):
    dense = tf.placeholder(tf.int64, [2, None])
    for function in (tf.sets.union, tf.sets.intersection, tf.sets.difference):
        function(dense, dense)
        function(dense, _sparse(tf))
        function(_sparse(tf), dense)
        function(_sparse(tf), _sparse(tf), validate_indices=False)
    tf.sets.difference(dense, dense, aminusb=False)
    tf.sets.difference(_sparse(tf), dense, False)
    tf.sets.set_union([["a"]], [["b"]])


def set_sizes(tf):
    tf.sets.size(_sparse(tf))
    tf.sets.set_size(_sparse(tf, "string"), validate_indices=False)


def added(tf):
    sparse = tf.SparseTensor([[0, 1]], [2.0], [2, 3])
    tf.sparse_add(tf.ones([2, 3]), sparse)
    tf.sparse.add(_sparse(tf, "float32"), tf.placeholder(tf.float32, None))
    x = tf.placeholder(tf.float32, [2, 3])
    values = tf.placeholder(tf.float32, [1])
    tf.gradients(tf.sparse_add(tf.SparseTensor([[0, 1]], values, [2, 3]), x), [x, values])


def sums_of_two(tf):
    values = tf.placeholder(tf.float32, [1]), tf.placeholder(tf.float32, [None])
    known = tf.SparseTensor([[0, 1]], values[0], [2, 3])
    fed = tf.SparseTensor(tf.placeholder(tf.int64, [None, 2]), values[1], [2, 3])
    total = tf.sparse_add(known, fed, thresh=0.5)
    tf.gradients(total.values, values)
    tf.sparse.add(_sparse(tf, "complex64"), _sparse(tf, "complex64"))


def reshaped(tf):
    for sparse in (tf.SparseTensor([[0, 1]], [2.0], [2, 3]), _sparse(tf), _sparse(tf, shape=[2, 3])):
        tf.sparse_reshape(sparse, [3, 2])
        tf.sparse.reshape(sparse, [-1, 2], name="two")
        tf.sparse_reshape(sparse, tf.placeholder(tf.int32, [2]))


def concatenated(tf):
    known = tf.SparseTensor([[0, 1]], [2.0], [2, 3])
    tf.sparse_concat(0, [known, known])
    tf.sparse.concat(-1, [known, _sparse(tf, "float32")], name="joined")
    tf.sparse_concat(1, [known, known, known], expand_nonconcat_dim=True)
    tf.sparse_concat(-1, [known, known], expand_nonconcat_dim=True)
    tf.sparse_concat(0, [known])


def retained(tf):
    tf.sparse_retain(_sparse(tf), tf.placeholder(tf.bool, [None]))
    tf.sparse.retain(tf.SparseTensor([[0, 1]], [2.0], [2, 3]), [True])


def confusion_matrices(tf):
    for shape in ([4], [None], [4, 1], None):
        labels, predictions = tf.placeholder(tf.int64, shape), tf.placeholder(tf.int32, [4])
        tf.confusion_matrix(labels, predictions)
        tf.math.confusion_matrix(
            labels, predictions, num_classes=3, dtype=tf.float32, weights=tf.placeholder(tf.float32, [4])
        )


def broadcast_weights(tf):
    for values in ([2, 3], [None, 3], None):
        for weights in (1.0, [[1.0]], tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, None)):
            tf.losses.compute_weighted_loss(tf.placeholder(tf.float32, values), weights)


def losses_of_unknown_shapes(tf):
    labels, logits = tf.placeholder(tf.int32, None), tf.placeholder(tf.float32, None)
    tf.losses.sparse_softmax_cross_entropy(labels, logits)
    tf.losses.sparse_softmax_cross_entropy(labels, tf.placeholder(tf.float32, [None, 3]))
    tf.losses.sparse_softmax_cross_entropy(
        tf.placeholder(tf.int32, [None, 1]), logits, weights=tf.placeholder(tf.float32, None)
    )
    for name in ("mean_squared_error", "huber_loss", "log_loss", "absolute_difference"):
        getattr(tf.losses, name)(logits, logits, weights=tf.placeholder(tf.float32, [None]))


def mean_pairwise_squared_error(tf):
    for shape in ([4, 3], [None, 3], None):
        x = tf.placeholder(tf.float32, shape)
        tf.losses.mean_pairwise_squared_error(tf.placeholder(tf.float32, shape), x)
        loss = tf.losses.mean_pairwise_squared_error(x, x, weights=tf.placeholder(tf.float32, [4, 1]), scope="pairs")
    tf.gradients(loss, x)
    tf.losses.get_total_loss()


def gradients_of_sparse_products(tf):
    values = tf.placeholder(tf.float32, [1])
    dense = tf.placeholder(tf.float32, [2, 3])
    sparse = tf.SparseTensor([[0, 1]], values, [2, 3])
    tf.gradients((sparse * dense).values, [values, dense])
    tf.gradients((sparse / dense).values, [values, dense])


def forms(tf):
    known, fed = tf.SparseTensor([[0, 1]], [2.0], [2, 3]), _sparse(tf, "float32", [2, 3])
    for sparse in (known, fed, _sparse(tf, "float32")):
        tf.sparse_transpose(sparse)
        tf.sparse.transpose(sparse, [1, 0], name="turned")
        tf.sparse_reset_shape(sparse)
        tf.sparse.reset_shape(sparse, [4, 5])
        tf.sparse_reset_shape(sparse, tf.placeholder(tf.int32, [2]))
    for axis in (None, 0, 1, -2):
        tf.sparse.expand_dims(known, axis)
    tf.sparse.from_dense(tf.placeholder(tf.int32, [None, 3]))
    tf.sparse.eye(3)
    tf.sparse.eye(3, tf.placeholder(tf.int32, []), dtype=tf.int32, name="oblong")
    slices = tf.IndexedSlices(tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.int32, [None]))
    tf.sparse_mask(slices, [1, 2])


def embeddings(tf):
    table = tf.get_variable("table", [5, 2], initializer=tf.zeros_initializer())
    with tf.variable_scope("parts", partitioner=tf.fixed_size_partitioner(2)):
        parts = tf.get_variable("table", [5, 2], initializer=tf.zeros_initializer())
    ids, weights = _sparse(tf), _sparse(tf, "float64")
    for params in (table, parts):
        for combiner in ("sum", "mean", "sqrtn"):
            tf.nn.embedding_lookup_sparse(params, ids, None, combiner=combiner)
            found = tf.nn.embedding_lookup_sparse(
                params, ids, weights, "div", combiner=combiner, max_norm=1.0, name="weighted"
            )
        tf.gradients(found, params if params is table else list(parts))


def dense_ones(tf):
    tf.sparse_to_dense([[0, 1], [1, 0]], [2, 3], [1.0, 2.0])
    tf.sparse_to_dense(2, [4], "x", "", validate_indices=False, name="one")
    tf.sparse.to_dense(_sparse(tf, "float32"))
    tf.sparse_tensor_to_dense(_sparse(tf, "string", [2, 2]), "missing", False, "words")
    values = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [])
    fed = tf.SparseTensor(tf.placeholder(tf.int64, [None, 2]), values[0], tf.placeholder(tf.int64, [2]))
    tf.gradients(tf.sparse.to_dense(fed, values[1]), [fed.indices, fed.dense_shape, *values])


def indicators(tf):
    tf.sparse_to_indicator(_sparse(tf, "int32"), 5)
    tf.sparse.to_indicator(
        tf.SparseTensor([[0, 1]], tf.constant([2], tf.int64), [2, 3]), tf.constant(7, tf.int64), name="which"
    )


def products(tf):
    values, b = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None, 4])
    fed = tf.SparseTensor(tf.placeholder(tf.int64, [None, 2]), values, tf.placeholder(tf.int64, [2]))
    tf.gradients(tf.sparse.matmul(fed, b), [values, b])
    tf.gradients(tf.sparse.sparse_dense_matmul(fed, b, adjoint_a=True, adjoint_b=True, name="turned"), [values, b])
    tf.sparse_tensor_dense_matmul(tf.SparseTensorValue([[0, 1]], [2.0], [2, 3]), [[1.0], [2.0], [3.0]])
