"""Iterators of all kinds, options and optionals."""


def one_shot(tf):
    return tf.data.make_one_shot_iterator(tf.data.Dataset.range(3))


def one_shot_method(tf):
    return tf.data.Dataset.range(3).batch(2).make_one_shot_iterator()


def one_shot_map(tf):
    c = tf.constant(2, tf.int64, name="c")
    return tf.data.Dataset.range(3).map(lambda x: x * c).make_one_shot_iterator()


def one_shot_zip(tf):
    pairs = tf.data.Dataset.zip((tf.data.Dataset.range(3), tf.data.Dataset.from_tensor_slices(["a", "b"])))
    return pairs.make_one_shot_iterator()


def one_shot_shuffle(tf):
    return tf.data.Dataset.range(6).shuffle(3, seed=4).make_one_shot_iterator()


def one_shot_graph_seed(tf):
    tf.set_random_seed(5)
    return tf.data.Dataset.range(6).shuffle(3).make_one_shot_iterator()


def one_shot_twice(tf):
    dataset = tf.data.Dataset.range(2)
    first = dataset.make_one_shot_iterator().get_next()
    return None, (first, dataset.make_one_shot_iterator().get_next())


def one_shot_variable(tf):
    v = tf.Variable(5, dtype=tf.int64, name="v", use_resource=True)
    return tf.data.Dataset.range(3).map(lambda x: x + v).make_one_shot_iterator()


def one_shot_reference_variable(tf):
    v = tf.Variable(5, dtype=tf.int64, name="v")
    return tf.data.Dataset.range(3).map(lambda x: x + v).make_one_shot_iterator()


def one_shot_placeholder(tf):
    n = tf.placeholder(tf.int64, [], name="n")
    return tf.data.Dataset.range(n).make_one_shot_iterator()


def one_shot_random(tf):
    n = tf.random_uniform([], 1, 4, tf.int64, seed=1)
    return tf.data.Dataset.range(n).make_one_shot_iterator()


def one_shot_flat_map(tf):
    return tf.data.Dataset.range(3).flat_map(lambda x: tf.data.Dataset.range(x)).make_one_shot_iterator()


def one_shot_in_scope(tf):
    with tf.name_scope("input"):
        return tf.data.Dataset.range(3).make_one_shot_iterator()


def one_shot_on_device(tf):
    with tf.device("/cpu:0"):
        return tf.data.Dataset.range(3).make_one_shot_iterator()


def initializable(tf):
    return tf.data.Dataset.range(3).make_initializable_iterator()


def initializable_shared(tf):
    return tf.data.make_initializable_iterator(tf.data.Dataset.range(3), shared_name="shared")


def initializable_on_device(tf):
    with tf.device("/cpu:0"):
        return tf.data.make_initializable_iterator(tf.data.Dataset.range(3))


def not_initialized(tf):
    return None, tf.data.make_initializable_iterator(tf.data.Dataset.range(3)).get_next()


def from_structure(tf):
    iterator = tf.data.Iterator.from_structure(tf.int64, [])
    return iterator.make_initializer(tf.data.Dataset.range(3)), iterator.get_next()


def from_structure_nested(tf):
    dataset = tf.data.Dataset.from_tensor_slices({"a": [1, 2], "b": ([1.0, 2.0], ["x", "y"])})
    types = tf.data.get_output_types(dataset)
    iterator = tf.data.Iterator.from_structure(types, tf.data.get_output_shapes(dataset))
    return iterator.make_initializer(dataset, name="init"), iterator.get_next(name="next")


def from_structure_no_shapes(tf):
    iterator = tf.data.Iterator.from_structure((tf.int64, tf.string))
    dataset = tf.data.Dataset.zip((tf.data.Dataset.range(2), tf.data.Dataset.from_tensor_slices(["a", "b"])))
    return iterator.make_initializer(dataset), iterator.get_next()


def from_structure_sparse(tf):
    dataset = tf.data.Dataset.from_tensors(tf.SparseTensor([[0]], [1], [2]))
    iterator = tf.data.Iterator.from_structure(
        dataset.output_types, dataset.output_shapes, output_classes=dataset.output_classes
    )
    return iterator.make_initializer(dataset), iterator.get_next()


def from_structure_two(tf):
    iterator = tf.data.Iterator.from_structure(tf.int64, [])
    first = iterator.make_initializer(tf.data.Dataset.range(3))
    iterator.make_initializer(tf.data.Dataset.range(5).map(lambda x: x + 1))
    return first, iterator.get_next()


def from_structure_shared(tf):
    iterator = tf.data.Iterator.from_structure(tf.int64, [], shared_name="named")
    return iterator.make_initializer(tf.data.Dataset.range(1)), iterator.get_next()


def from_structure_on_device(tf):
    with tf.device("/cpu:0"):
        iterator = tf.data.Iterator.from_structure(tf.int64, [])
    return iterator.make_initializer(tf.data.Dataset.range(1)), iterator.get_next()


def from_structure_types_differ(tf):
    return tf.data.Iterator.from_structure(tf.int32, []).make_initializer(tf.data.Dataset.range(3)), []


def from_structure_shapes_differ(tf):
    return tf.data.Iterator.from_structure(tf.int64, [2]).make_initializer(tf.data.Dataset.range(3)), []


def from_structure_structures_differ(tf):
    return tf.data.Iterator.from_structure((tf.int64, tf.int64)).make_initializer(tf.data.Dataset.range(3)), []


def from_structure_classes_differ(tf):
    iterator = tf.data.Iterator.from_structure(tf.int32, [2])
    return iterator.make_initializer(tf.data.Dataset.from_tensors(tf.SparseTensor([[0]], [1], [2]))), []


def from_structure_wrong_shapes(tf):
    return tf.data.Iterator.from_structure((tf.int64, tf.int64), []), []


def from_structure_no_initializer(tf):
    return tf.data.Iterator.from_structure(tf.int64).initializer, []


def one_shot_no_initializer(tf):
    return tf.data.Dataset.range(3).make_one_shot_iterator().initializer, []


def string_handle(tf):
    source = tf.data.Dataset.range(3).make_one_shot_iterator()
    iterator = tf.data.Iterator.from_string_handle(source.string_handle(), tf.int64, [])
    return None, iterator.get_next()


def string_handle_named(tf):
    source = tf.data.Dataset.range(3).make_one_shot_iterator()
    iterator = tf.data.Iterator.from_string_handle(source.string_handle("handle"), source.output_types)
    return None, iterator.get_next()


def string_handle_placeholder(tf):
    handle = tf.placeholder(tf.string, [])
    iterator = tf.data.Iterator.from_string_handle(handle, (tf.int64, tf.float32), ([], [2]))
    return None, iterator.get_next()


def string_handle_of_other_types(tf):
    source = tf.data.Dataset.range(3).make_one_shot_iterator()
    iterator = tf.data.Iterator.from_string_handle(source.string_handle(), tf.int32, [])
    return None, iterator.get_next()


def string_handle_bad(tf):
    return None, tf.data.Iterator.from_string_handle("no handle", tf.int32, []).get_next()


def get_next_many(tf):
    iterator = tf.data.Dataset.range(3).make_one_shot_iterator()
    for _ in range(33):
        iterator.get_next()
    return iterator


def optional(tf):
    iterator = tf.data.make_initializable_iterator(tf.data.Dataset.range(2))
    found = tf.data.experimental.get_next_as_optional(iterator)
    value = tf.cond(found.has_value(), found.get_value, lambda: tf.constant(-1, tf.int64))
    return iterator.initializer, (found.has_value(), value)


def optional_from_value(tf):
    found = tf.data.experimental.Optional.from_value({"a": 1, "b": (tf.constant([1.0]), "x")})
    return None, (found.has_value("has"), found.get_value("value"))


def optional_sparse(tf):
    found = tf.data.experimental.Optional.from_value(tf.SparseTensor([[0]], [1], [2]))
    return None, found.get_value()


def optional_none(tf):
    found = tf.data.experimental.Optional.none_from_structure(tf.TensorSpec([2], tf.float32))
    return None, (found.has_value(), found.get_value())


def optional_in_dataset(tf):
    found = tf.data.experimental.Optional.from_value((1, [2]))
    return tf.data.Dataset.from_tensors(found).map(lambda o: o.get_value())


def dataset_in_dataset(tf):
    inner = tf.data.Dataset.range(3)
    return tf.data.Dataset.from_tensors(inner).flat_map(lambda x: x)


def datasets_in_dataset(tf):
    inner = (tf.data.Dataset.range(3), {"k": tf.data.Dataset.from_tensors("x")})
    return tf.data.Dataset.from_tensors(inner).flat_map(lambda a, b: a.concatenate(a))


def variants(tf):
    variant = tf.data.experimental.to_variant(tf.data.Dataset.range(3))
    dataset = tf.data.experimental.from_variant(variant, tf.TensorSpec([], tf.int64))
    return dataset.map(lambda x: x + 1)


def options_none(tf):
    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    options.experimental_optimization.autotune = False
    return tf.data.Dataset.range(3).with_options(options)


def options_all(tf):
    options = tf.data.Options()
    options.experimental_deterministic = False
    options.experimental_slack = True
    options.experimental_stats.latency_all_edges = True
    options.experimental_optimization.map_fusion = True
    options.experimental_optimization.noop_elimination = False
    options.experimental_optimization.map_vectorization.enabled = True
    options.experimental_optimization.autotune_cpu_budget = 2
    options.experimental_threading.private_threadpool_size = 2
    options.experimental_threading.max_intra_op_parallelism = 1
    return tf.data.Dataset.range(3).map(lambda x: x).prefetch(1).with_options(options)


def options_merged(tf):
    one, other = tf.data.Options(), tf.data.Options()
    one.experimental_optimization.map_fusion = True
    other.experimental_optimization.filter_fusion = True
    other.experimental_deterministic = True
    first = tf.data.Dataset.range(3).with_options(one)
    return tf.data.Dataset.zip((first, tf.data.Dataset.range(2).with_options(other))).with_options(other)


def options_conflict(tf):
    one, other = tf.data.Options(), tf.data.Options()
    one.experimental_deterministic = True
    other.experimental_deterministic = False
    return tf.data.Dataset.range(3).with_options(one).with_options(other)


def options_wrong_type(tf):
    tf.data.Options().experimental_deterministic = 3


def options_unknown(tf):
    tf.data.Options().experimental_deterministc = True


def options_algorithm(tf):
    options = tf.data.Options()
    options.experimental_optimization.autotune_algorithm = 1
    return tf.data.Dataset.range(3).with_options(options)


def options_wrong_class(tf):
    return tf.data.Dataset.range(3).with_options(3)


def serialized(tf):
    dataset = tf.data.Dataset.range(3).map(lambda x: x + 1)
    return None, tf.strings.length(dataset._as_serialized_graph()) > 0
