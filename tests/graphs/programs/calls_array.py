"""Array ops: creation, slicing, concatenation, rearrangement. One call per program."""


def eye(tf):
    tf.eye(3)


def eye_2(tf):
    tf.eye(2, batch_shape=[3])


def matrix_band_part(tf):
    tf.matrix_band_part(tf.ones([3, 3]), 1, 0)


def stack(tf):
    tf.stack([tf.constant(1), 2])


def parallel_stack(tf):
    tf.parallel_stack([tf.constant(1), 2])


def concat(tf):
    tf.concat([tf.ones([2, 3]), tf.ones([2, 3])], 0)


def concat_2(tf):
    tf.concat([tf.ones([2, 3])], 0)


def split(tf):
    _ = tf.split(tf.ones([4, 2]), [1, 3])[1]


def split_2(tf):
    _ = tf.split(tf.ones([4, 2]), 2)[1]


def gather(tf):
    tf.gather(tf.ones([4, 2]), [1, 3])


def gather_2(tf):
    tf.gather(tf.ones([4, 2]), [1, 0], axis=1)


def batch_gather(tf):
    tf.batch_gather(tf.ones([4, 2]), tf.zeros([4, 1], tf.int32))


def gather_nd(tf):
    tf.gather_nd(tf.ones([4, 2]), [[1, 0]])


def dynamic_partition(tf):
    _ = tf.dynamic_partition(tf.ones([4]), [0, 1, 0, 1], 2)[0]


def dynamic_stitch(tf):
    tf.dynamic_stitch([[0, 1]], [[1.0, 2.0]])


def unique(tf):
    _ = tf.unique([1, 2, 1])[0]


def reverse(tf):
    tf.reverse([1, 2], [0])


def transpose(tf):
    tf.transpose(tf.ones([2, 3]))


def transpose_2(tf):
    tf.transpose(tf.placeholder(tf.float32))


def matrix_transpose(tf):
    tf.matrix_transpose(tf.ones([2, 3]))


def pad(tf):
    tf.pad(tf.ones([2]), [[1, 1]])


def pad_2(tf):
    tf.pad(tf.ones([2]), [[1, 1]], constant_values=2.0)


def pad_3(tf):
    tf.pad(tf.ones([2]), [[1, 1]], mode="REFLECT")


def expand_dims(tf):
    tf.expand_dims([1, 2], 0)


def squeeze(tf):
    tf.squeeze(tf.ones([1, 2]))


def size(tf):
    tf.size(tf.ones([2]))


def rank(tf):
    tf.rank(tf.placeholder(tf.float32))


def shape_n(tf):
    _ = tf.shape_n([tf.ones([2]), tf.ones([3])])[0]


def broadcast_dynamic_shape(tf):
    tf.broadcast_dynamic_shape([1, 2], [2, 1])


def broadcast_to(tf):
    tf.broadcast_to([1, 2], [2, 2])


def strided_slice(tf):
    tf.strided_slice([1, 2, 3], [0], [2])


def tf_slice(tf):
    tf.slice([1, 2, 3], [0], [2])


def space_to_batch(tf):
    tf.space_to_batch(tf.ones([1, 4, 4, 1]), [[0, 0], [0, 0]], 2)


def depth_to_space(tf):
    tf.depth_to_space(tf.ones([1, 2, 2, 4]), 2)


def sort(tf):
    tf.sort([3, 1, 2])


def argsort(tf):
    tf.argsort([3, 1, 2])


def identity(tf):
    tf.identity(tf.ones([2]))


def sequence_mask(tf):
    tf.sequence_mask(tf.placeholder(tf.int32, [None]), 5)


def format(tf):
    tf.strings.format("{}", tf.ones([2]))


def meshgrid(tf):
    _ = tf.meshgrid([1, 2], [3, 4])[1]


def linspace(tf):
    tf.linspace(0.0, 1.0, 3)


def argsort_2(tf):
    tf.argsort([3.0, 1.0, 2.0])


def sort_2(tf):
    tf.sort([[3, 1, 2]], axis=0, direction="DESCENDING")


def sort_of_unknown_rank(tf):
    x = tf.placeholder(tf.float32)
    for axis in (-1, 0, 1, 2, -2, -3):
        tf.sort(x, axis)
        tf.argsort(x, axis, "DESCENDING")
    tf.argsort(x, tf.constant(0))


def sort_of_known_rank(tf):
    x = tf.placeholder(tf.float32, [None, 2, None])
    for axis in (-1, 0, 1, 2, -2, -3):
        tf.sort(x, axis)


def batch_gather_2(tf):
    tf.batch_gather(tf.reshape(tf.range(8), [4, 2]), tf.zeros([4, 1], tf.int32))


def batch_gather_3(tf):
    tf.batch_gather(tf.placeholder(tf.float32, [None, 4, 2]), tf.placeholder(tf.int64, [None, 3]))


def batch_gather_4(tf):
    tf.batch_gather(tf.reshape(tf.range(24), [2, 3, 4]), tf.ones([2, 3, 2], tf.int32))


def gather_3(tf):
    tf.gather(tf.reshape(tf.range(24), [2, 3, 4]), tf.ones([2, 2], tf.int32), batch_dims=1)


def gather_4(tf):
    tf.gather(tf.reshape(tf.range(24), [2, 3, 4]), tf.ones([2, 2], tf.int32), batch_dims=1, axis=2)


def meshgrid_2(tf):
    _ = tf.meshgrid([1, 2], [3, 4, 5], indexing="ij")[0]


def zeros(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    tf.zeros([2, tf.shape(x)[0], 3])


def eye_3(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    tf.eye(tf.shape(x)[0])


def fill(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    tf.fill([tf.shape(x)[0], 3], 1.0)


def ones_like(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    tf.ones_like(x, tf.int32)


def zeros_like(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    tf.zeros_like(x, optimize=False)


def reshape(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    tf.reshape(x, [-1, 1])


def tile(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    tf.tile(x, [1, 2])


def unstack(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    _ = tf.unstack(x, axis=1)[0]


def boolean_mask(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    tf.boolean_mask(x, tf.placeholder(tf.bool, [None]))


def one_hot(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    tf.one_hot(tf.argmax(x, 1), 3, on_value=2.0, off_value=1.0)


def one_hot_2(tf):
    x = tf.placeholder(tf.int32, [None])
    tf.one_hot(x, tf.reduce_max(x))


def where(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    tf.where(x > 0, x, tf.zeros_like(x))


def where_v2(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    tf.where_v2(x > 0, x, 0.0)


def reshape_2(tf):
    x = tf.placeholder(tf.float32, [None, 4, 4, 3])
    tf.reshape(x, [tf.shape(x)[0], -1])


def transpose_3(tf):
    x = tf.placeholder(tf.float32, [None, 4, 4, 3])
    tf.transpose(x, [0, 3, 1, 2])


def concat_3(tf):
    x = tf.placeholder(tf.float32, [None, 4, 4, 3])
    tf.concat([x, x], -1)


def split_3(tf):
    x = tf.placeholder(tf.float32, [None, 4, 4, 3])
    _ = tf.split(x, 3, axis=3)[0]


def sequence_mask_2(tf):
    x = tf.placeholder(tf.int64, [None])
    tf.sequence_mask(x, maxlen=tf.reduce_max(x), dtype=tf.float32)


def tf_range(tf):
    x = tf.placeholder(tf.int64, [None])
    tf.range(tf.size(x))


def matrix_set_diag(tf):
    tf.placeholder(tf.float32, [None, 3])
    tf.matrix_set_diag(tf.ones([2, 3, 3]), tf.ones([2, 3]))


def diag(tf):
    tf.placeholder(tf.float32, [None, 3])
    tf.diag(tf.ones([2]))


def diag_part(tf):
    tf.placeholder(tf.float32, [None, 3])
    tf.diag_part(tf.ones([2, 2]))


def one_hot_3(tf):
    tf.one_hot([1], 3, on_value=True, off_value=False, dtype=tf.bool)


def eye_4(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    tf.eye(tf.shape(x)[0], 2, [3])


def identity_2(tf):
    with tf.control_dependencies([tf.constant(1.0)]):
        tf.identity(tf.constant(2.0))


def identity_3(tf):
    with tf.control_dependencies([tf.assert_positive(tf.placeholder(tf.int32, []))]):
        tf.identity(tf.constant(2.0))
