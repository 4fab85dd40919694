"""Programs that differentiate ops that move, select and reshape elements."""


def _gradients_of(tf, make, *shapes):
    xs = [tf.placeholder(tf.float32, shape, name=f"x{i}") for i, shape in enumerate(shapes)]
    return tf.gradients(make(*xs), xs)


def reshapes(tf):
    _gradients_of(tf, lambda x: tf.reshape(x, [6]), [2, 3])
    _gradients_of(tf, lambda x: tf.reshape(x, [-1]), [None, 3])
    _gradients_of(tf, lambda x: tf.expand_dims(x, 1), [2, 3])
    _gradients_of(tf, lambda x: tf.squeeze(x, [0]), [1, 3])
    _gradients_of(tf, lambda x: tf.squeeze(x, [1]), [None, 1])
    _gradients_of(tf, lambda x: tf.expand_dims(x, -1), None)


def transposes(tf):
    _gradients_of(tf, lambda x: tf.transpose(x), [2, 3])
    _gradients_of(tf, lambda x: tf.transpose(x, [2, 0, 1]), [2, 3, None])
    _gradients_of(tf, lambda x: tf.matrix_transpose(x), [2, 3, 4])
    _gradients_of(tf, lambda x: tf.transpose(x), None)


def joins(tf):
    _gradients_of(tf, lambda x, y: tf.concat([x, y], 0), [2, 3], [4, 3])
    _gradients_of(tf, lambda x, y: tf.concat([x, y], 1), [None, 3], [None, 4])
    _gradients_of(tf, lambda x, y: tf.concat([x, y], -1), [2, 3], [2, 4])
    _gradients_of(tf, lambda x: tf.concat([x], 0), [2, 3])
    _gradients_of(tf, lambda x, y: tf.stack([x, y], 1), [2, 3], [2, 3])
    _gradients_of(tf, lambda x, y: tf.stack([x, y]), None, None)


def splits(tf):
    _gradients_of(tf, lambda x: tf.split(x, 3, 1)[0], [2, 3])
    _gradients_of(tf, lambda x: tf.split(x, 1, 1), [2, 3])
    _gradients_of(tf, lambda x: tf.split(x, [1, 2], 1), [2, 3])
    _gradients_of(tf, lambda x: tf.split(x, [3], 1), [2, 3])
    _gradients_of(tf, lambda x: tf.split(x, 2)[1], [None, 3])
    _gradients_of(tf, lambda x: tf.unstack(x, axis=1)[1], [2, 3])
    _gradients_of(tf, lambda x: tf.unstack(x, 2), [None, 3])


def slices(tf):
    _gradients_of(tf, lambda x: x[0], [2, 3])
    _gradients_of(tf, lambda x: x[:, 1:, tf.newaxis], [None, 3])
    _gradients_of(tf, lambda x: x[..., ::2], [2, 3])
    _gradients_of(tf, lambda x: tf.slice(x, [0, 1], [2, 1]), [2, 3])
    _gradients_of(tf, lambda x: tf.slice(x, [0, 1], [-1, 1]), [None, 3])
    _gradients_of(tf, lambda x: tf.strided_slice(x, [0, 0], [2, 3], [1, 2]), [2, 3])


def paddings(tf):
    _gradients_of(tf, lambda x: tf.pad(x, [[1, 1], [0, 2]]), [2, 3])
    _gradients_of(tf, lambda x: tf.pad(x, [[1, 1], [0, 2]], constant_values=2.0), [None, 3])
    _gradients_of(tf, lambda x: tf.pad(x, [[1, 1], [0, 2]], "REFLECT"), [2, 3])
    _gradients_of(tf, lambda x: tf.pad(x, [[1, 1], [0, 2]], "SYMMETRIC"), [None, 3])


def tiles(tf):
    _gradients_of(tf, lambda x: tf.tile(x, [2, 1]), [2, 3])
    _gradients_of(tf, lambda x: tf.tile(x, [2, 1]), [None, 3])
    _gradients_of(tf, lambda x: tf.broadcast_to(x, [4, 2, 3]), [2, 3])
    _gradients_of(tf, lambda x: tf.fill([2, 3], x), [])
    _gradients_of(tf, lambda x: tf.zeros_like(x) + tf.ones_like(x) * x, [2, 3])


def gathers(tf):
    _gradients_of(tf, lambda x: tf.gather(x, [0, 1, 1]), [4, 3])
    _gradients_of(tf, lambda x: tf.gather(x, [[0], [1]]), [None, 3])
    _gradients_of(tf, lambda x: tf.gather(x, [0, 1], axis=1), [4, 3])
    _gradients_of(tf, lambda x: tf.gather(x, 1, axis=-1), [None, 3])
    _gradients_of(tf, lambda x: tf.gather(x, tf.placeholder(tf.int32)), [4, 3])


def gathers_made_dense(tf):
    grads = _gradients_of(tf, lambda x: tf.gather(x, [0, 1, 1]), [4, 3])
    tf.convert_to_tensor(grads[0]) * 2.0
    x = tf.placeholder(tf.float32, [4, 3])
    tf.gradients(tf.gather(x * 2.0, [1]), x)
    tf.gradients(tf.gather(x, [1]) + tf.gather(x, [2]), x)
    tf.gradients(tf.gather(x, [1]) + x, x)


def gathers_in_batches(tf):
    i = tf.placeholder(tf.int32, [2, 5])
    _gradients_of(tf, lambda x: tf.gather(x, i, batch_dims=1), [2, 4, 3])
    _gradients_of(tf, lambda x: tf.gather(x, i, batch_dims=-1), [2, 4])


def gathers_behind_batches(tf):
    i = tf.placeholder(tf.int32, [2, 5])
    _gradients_of(tf, lambda x: tf.gather(x, i, batch_dims=1, axis=2), [2, 4, 3])


def batch_gathers(tf):
    i = tf.placeholder(tf.int32, [2, 5])
    tf.batch_gather(tf.placeholder(tf.float32, [None, 4]), i)


def batch_gathers_nd(tf):
    tf.gather_nd(tf.placeholder(tf.float32, [2, 3]), [[0], [1]], batch_dims=1)


def gathers_nd(tf):
    _gradients_of(tf, lambda x: tf.gather_nd(x, [[0, 1], [1, 2]]), [2, 3])
    _gradients_of(tf, lambda x: tf.gather_nd(x, [[0], [1]]), [2, 3])
    _gradients_of(tf, lambda x: tf.scatter_nd([[0], [1]], x, [4, 3]), [2, 3])
    _gradients_of(tf, lambda x: tf.tensor_scatter_update(x, [[0]], [[1.0, 2.0, 3.0]]), [2, 3])
    _gradients_of(tf, lambda x: tf.tensor_scatter_add(x, [[0]], [[1.0, 2.0, 3.0]]), [2, 3])


def embeddings(tf):
    w = tf.get_variable("w", [4, 3])
    r = tf.get_variable("r", [4, 3], use_resource=True)
    ids = tf.placeholder(tf.int32, [None])
    tf.gradients(tf.reduce_sum(tf.nn.embedding_lookup(w, ids)), w)
    tf.gradients(tf.reduce_sum(tf.nn.embedding_lookup(r, ids)), r)
    tf.gradients(tf.reduce_sum(tf.nn.embedding_lookup(w, ids, max_norm=1.0)), w)


def embeddings_in_shards(tf):
    ws = [tf.get_variable(f"w{i}", [2, 3]) for i in range(2)]
    ids = tf.placeholder(tf.int64, [5])
    tf.gradients(tf.nn.embedding_lookup(ws, ids), ws)
    tf.gradients(tf.nn.embedding_lookup(ws, ids, "div"), ws)


def segments(tf):
    ids = [0, 0, 1]
    for f in (tf.segment_sum, tf.segment_mean, tf.segment_max, tf.segment_min):
        _gradients_of(tf, lambda x, f=f: f(x, ids), [3, 2])
    for f in (tf.unsorted_segment_sum, tf.unsorted_segment_max, tf.unsorted_segment_prod, tf.unsorted_segment_mean):
        _gradients_of(tf, lambda x, f=f: f(x, ids, 2), [3, 2])
    for f in (tf.sparse_segment_sum, tf.sparse_segment_mean, tf.sparse_segment_sqrt_n):
        _gradients_of(tf, lambda x, f=f: f(x, [0, 1, 2], ids), [3, 2])


def dynamic_parts(tf):
    _gradients_of(tf, lambda x: tf.dynamic_partition(x, [0, 1, 0], 2), [3, 2])
    _gradients_of(tf, lambda x, y: tf.dynamic_stitch([[0, 2], [1]], [x, y]), [2, 3], [1, 3])
    _gradients_of(tf, lambda x: tf.boolean_mask(x, [True, False, True]), [3, 2])
    _gradients_of(tf, lambda x: tf.boolean_mask(x, x > 0.0), [None, 2])


def reversals(tf):
    _gradients_of(tf, lambda x: tf.reverse(x, [1]), [2, 3])
    _gradients_of(tf, lambda x: tf.reverse_sequence(x, [1, 2], seq_axis=1), [2, 3])
    _gradients_of(tf, lambda x: tf.roll(x, 1, 0), [2, 3])
    _gradients_of(tf, lambda x: tf.space_to_depth(x, 2), [1, 4, 4, 1])
    _gradients_of(tf, lambda x: tf.depth_to_space(x, 2), [1, 2, 2, 4])
    _gradients_of(tf, lambda x: tf.space_to_batch(x, [[0, 0], [0, 0]], 2), [1, 4, 4, 1])
    _gradients_of(tf, lambda x: tf.batch_to_space(x, [[0, 0], [0, 0]], 2), [4, 2, 2, 1])


def diagonals(tf):
    _gradients_of(tf, tf.diag, [3])
    _gradients_of(tf, tf.diag_part, [3, 3])
    _gradients_of(tf, tf.matrix_diag, [2, 3])
    _gradients_of(tf, tf.matrix_diag_part, [2, 3, 3])
    _gradients_of(tf, tf.matrix_diag_part, [2, 3, 4])
    _gradients_of(tf, tf.matrix_set_diag, [2, 3, 3], [2, 3])
    _gradients_of(tf, lambda x: tf.matrix_band_part(x, 1, 0), [3, 3])
    _gradients_of(tf, tf.trace, [3, 3])


def top_values(tf):
    _gradients_of(tf, lambda x: tf.nn.top_k(x, 2)[0], [3, 4])
    _gradients_of(tf, lambda x: tf.nn.top_k(x, 2)[0], [None, 4])
    _gradients_of(tf, lambda x: tf.sort(x), [3, 4])


def checks(tf):
    _gradients_of(tf, lambda x: tf.check_numerics(x, "bad"), [2, 3])
    _gradients_of(tf, lambda x: tf.Print(x, [x]), [2, 3])
    _gradients_of(tf, lambda x: tf.identity(x), [2, 3])
    _gradients_of(tf, lambda x: tf.ensure_shape(x, [2, 3]), [None, 3])
    _gradients_of(tf, lambda x: tf.placeholder_with_default(x, [None, 3]), [2, 3])
