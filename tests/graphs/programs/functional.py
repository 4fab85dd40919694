"""Programs that map functions over elements."""


def maps(tf):
    tf.map_fn(lambda x: x * 2.0, tf.constant([1.0, 2.0], name="e"))
    e = tf.placeholder(tf.float32, [None, 2], name="p")
    tf.map_fn(lambda x: tf.cast(x[0], tf.int32), e, dtype=tf.int32, parallel_iterations=4, name="named")
    tf.map_fn(lambda x: x, tf.placeholder(tf.float32, None, name="q"), infer_shape=False, swap_memory=True)


def maps_of_structures(tf):
    a, b = tf.constant([1, 2, 3]), tf.placeholder(tf.float32, [3, 2])
    tf.map_fn(lambda x: (x["a"], x["b"] * 2.0), {"a": a, "b": b}, dtype=(tf.int32, tf.float32))
    tf.map_fn(lambda x: [x[1], x[0]], [b, b * 2.0])


def folds(tf):
    e = tf.constant([1.0, 2.0], name="e")
    tf.foldl(lambda a, x: a + x, e)
    tf.foldl(lambda a, x: a + x, e, initializer=0.0)
    tf.foldr(lambda a, x: a + x, e)
    tf.foldr(lambda a, x: a + x, e, initializer=0.0, parallel_iterations=1, name="named")
    p = tf.placeholder(tf.float32, [None, 2])
    tf.foldl(lambda a, x: (a[0] + x[0], a[1] * x[1]), (p, p))
    tf.foldr(lambda a, x: a + x["x"], {"x": p}, initializer=tf.zeros([2]), back_prop=False)


def scans(tf):
    e = tf.constant([1.0, 2.0], name="e")
    tf.scan(lambda a, x: a + x, e)
    tf.scan(lambda a, x: a + x, e, initializer=0.0, reverse=True)
    p = tf.placeholder(tf.float32, [None, 2])
    tf.scan(lambda a, x: a * x, p, reverse=True, infer_shape=False)
    tf.scan(lambda a, x: (a[1], a[0] + tf.reduce_sum(x)), p, initializer=(0.0, tf.constant(1.0)), swap_memory=True)


def variables_made_in_a_map(tf):
    def layer(x):
        w = tf.get_variable("w", [2], initializer=tf.zeros_initializer(), use_resource=True)
        v = tf.get_variable("v", [2], initializer=tf.zeros_initializer(), use_resource=False)
        return x * w + v

    tf.map_fn(layer, tf.ones([3, 2]))


def gradients_of_maps(tf):
    e = tf.placeholder(tf.float32, [None, 2], name="e")
    tf.gradients(tf.map_fn(tf.square, e), e)
    tf.gradients(tf.scan(lambda a, x: a * x, e), e)
    tf.gradients(tf.foldl(lambda a, x: a * x, e), e)
