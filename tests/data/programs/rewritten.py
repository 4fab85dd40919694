"""Pipelines that iterators rewrite: stages that become one, stages without effect."""

import numpy as np


def _with(dataset, tf, **optimizations):
    options = tf.data.Options()
    for name, value in optimizations.items():
        setattr(options.experimental_optimization, name, value)
    return dataset.with_options(options)


def _shuffled(tf, **how):
    return tf.data.Dataset.range(5).shuffle(3, seed=7, **how)


def shuffle_repeat(tf):
    return _shuffled(tf).repeat(3)


def shuffle_repeat_forever(tf):
    return _shuffled(tf).repeat()


def shuffle_repeat_once(tf):
    return _shuffled(tf).repeat(1)


def shuffle_repeat_zero_times(tf):
    return _shuffled(tf).repeat(0)


def shuffle_repeat_negative(tf):
    return _shuffled(tf).repeat(-5)


def shuffle_repeat_fed_count(tf):
    return _shuffled(tf).repeat(tf.placeholder_with_default(tf.constant(2, tf.int64), []))


def shuffle_repeat_fed_once(tf):
    return _shuffled(tf).repeat(tf.placeholder_with_default(tf.constant(1, tf.int64), [])).repeat(2)


def shuffle_repeat_reshuffled(tf):
    return _shuffled(tf, reshuffle_each_iteration=True).repeat(3)


def shuffle_repeat_same_order(tf):
    return _shuffled(tf, reshuffle_each_iteration=False).repeat(3)


def shuffle_repeat_same_order_negative(tf):
    return _shuffled(tf, reshuffle_each_iteration=False).repeat(-5)


def shuffle_repeat_graph_seed(tf):
    tf.set_random_seed(3)
    return tf.data.Dataset.range(5).shuffle(3).repeat(2)


def shuffle_repeat_zero_seed(tf):
    return tf.data.Dataset.range(5).shuffle(3, seed=tf.constant(0, tf.int64)).repeat(2)


def shuffle_repeat_large_buffer(tf):
    return tf.data.Dataset.range(3).shuffle(100, seed=1).repeat(8)


def shuffle_repeat_nothing(tf):
    return tf.data.Dataset.range(0).shuffle(3, seed=7).repeat()


def shuffle_repeat_not_fused(tf):
    return _with(_shuffled(tf).repeat(3), tf, shuffle_and_repeat_fusion=False)


def shuffle_repeat_zero_times_not_fused(tf):
    return _with(_shuffled(tf).repeat(0), tf, shuffle_and_repeat_fusion=False)


def shuffle_repeat_no_defaults(tf):
    return _with(_shuffled(tf).repeat(3), tf, apply_default_optimizations=False)


def shuffle_repeat_only_fused(tf):
    return _with(_shuffled(tf).repeat(3), tf, apply_default_optimizations=False, shuffle_and_repeat_fusion=True)


def options_before_repeat(tf):
    return _with(_shuffled(tf), tf, shuffle_and_repeat_fusion=False).repeat(3)


def shuffle_repeat_repeat(tf):
    return _shuffled(tf).repeat(2).repeat(2)


def shuffle_repeat_twice(tf):
    return _with(_shuffled(tf).repeat(2).batch(2).shuffle(2, seed=3).repeat(2), tf)


def shuffle_once_repeat(tf):
    return _shuffled(tf).repeat(1).repeat(2)


def shuffle_once_repeat_with_noops(tf):
    return _with(_shuffled(tf).repeat(1).repeat(2), tf, noop_elimination=False)


def shuffle_noops_repeat(tf):
    return _shuffled(tf).take(-1).skip(0).prefetch(0).repeat(2)


def shuffle_noops_repeat_with_noops(tf):
    return _with(_shuffled(tf).take(-1).skip(0).prefetch(0).repeat(2), tf, noop_elimination=False)


def shuffle_take_repeat(tf):
    return _shuffled(tf).take(100).repeat(2)


def shuffle_shard_repeat(tf):
    return _shuffled(tf).shard(1, 0).repeat(2)


def shuffle_prefetch_repeat(tf):
    return _shuffled(tf).prefetch(1).repeat(2)


def shuffle_cache_repeat(tf):
    return _shuffled(tf).cache().repeat(2)


def shuffle_shuffle_repeat(tf):
    return _shuffled(tf).shuffle(3, seed=8).repeat(2)


def deep_in_the_chain(tf):
    return _shuffled(tf).repeat(2).map(lambda x: x + 1).filter(lambda x: x > 1).batch(2).prefetch(1)


def behind_cache(tf):
    return _shuffled(tf).repeat(2).cache()


def in_zip(tf):
    return tf.data.Dataset.zip((_shuffled(tf).repeat(2), tf.data.Dataset.range(3).shuffle(2, seed=3).repeat()))


def in_concatenate(tf):
    return _shuffled(tf).repeat(2).concatenate(tf.data.Dataset.range(3).shuffle(2, seed=3).repeat(2))


def shared_by_two(tf):
    shuffled = _shuffled(tf)
    return tf.data.Dataset.zip((shuffled.repeat(2), shuffled.repeat(2)))


def shared_by_repeat_and_batch(tf):
    shuffled = _shuffled(tf)
    return tf.data.Dataset.zip((shuffled.repeat(2), shuffled.batch(2)))


def behind_generator(tf):
    return tf.data.Dataset.from_generator(lambda: iter(range(5)), tf.int64).shuffle(3, seed=7).repeat(2)


def in_front_of_python(tf):
    return _shuffled(tf).repeat(2).map(lambda x: tf.py_func(lambda value: value, [x], tf.int64))


def in_flat_map(tf):
    return tf.data.Dataset.range(2).flat_map(lambda x: _shuffled(tf).repeat(2))


def in_interleave(tf):
    return tf.data.Dataset.range(2).interleave(lambda x: _shuffled(tf).repeat(2), cycle_length=2)


def in_parallel_interleave(tf):
    return tf.data.Dataset.range(2).interleave(lambda x: _shuffled(tf).repeat(2), cycle_length=2, num_parallel_calls=2)


def in_flat_map_not_fused(tf):
    return _with(in_flat_map(tf), tf, shuffle_and_repeat_fusion=False)


def in_flat_map_in_flat_map(tf):
    return tf.data.Dataset.range(2).flat_map(
        lambda y: tf.data.Dataset.range(1).flat_map(lambda x: _shuffled(tf).repeat(2))
    )


def in_flat_map_count_of_argument(tf):
    return tf.data.Dataset.range(1, 3).flat_map(lambda x: _shuffled(tf).repeat(x))


def in_flat_map_zero_times(tf):
    return tf.data.Dataset.range(2).flat_map(lambda x: _shuffled(tf).repeat(x))


def in_flat_map_noop(tf):
    return tf.data.Dataset.range(2).flat_map(lambda x: _shuffled(tf).repeat(1).repeat(2))


def in_flat_map_captured_shuffle(tf):
    shuffled = _shuffled(tf)
    return tf.data.Dataset.range(2).flat_map(lambda x: shuffled.repeat(2))


def in_flat_map_shared_shuffle(tf):
    def zipped(x):
        shuffled = _shuffled(tf)
        return tf.data.Dataset.zip((shuffled.repeat(2), shuffled.batch(2)))

    return tf.data.Dataset.range(1).flat_map(zipped)


def in_flat_map_window(tf):
    return tf.data.Dataset.range(10).window(5).flat_map(lambda window: window.shuffle(3, seed=7).repeat(2))


def in_map_of_windows(tf):
    windows = tf.data.Dataset.range(10).window(5)
    return windows.map(lambda window: window.shuffle(3, seed=7).repeat(2)).flat_map(lambda window: window)


def across_functions(tf):
    windows = tf.data.Dataset.range(10).window(5)
    return windows.map(lambda window: window.shuffle(3, seed=7)).flat_map(lambda window: window.repeat(2))


def in_group_by_window(tf):
    grouped = tf.data.experimental.group_by_window(
        lambda x: x % 2, lambda key, group: group.shuffle(3, seed=7).repeat(2), 5
    )
    return tf.data.Dataset.range(10).apply(grouped)


def in_reduce_of_map(tf):
    def digits(x):
        return _shuffled(tf).repeat(2).reduce(np.int64(0), lambda state, digit: state * 10 % 100000 + digit)

    return tf.data.Dataset.range(3).map(digits)


def as_one_transformation(tf):
    return tf.data.Dataset.range(5).apply(tf.data.experimental.shuffle_and_repeat(3, 2, seed=7))


def one_shot(tf):
    return tf.compat.v1.data.make_one_shot_iterator(_shuffled(tf).repeat(2))


def reduced(tf):
    return None, _shuffled(tf).repeat(2).reduce(np.int64(0), lambda state, digit: state * 10 + digit)


def _raw(tf, dataset, names):
    variant = tf.raw_ops.OptimizeDataset(
        input_dataset=tf.data.experimental.to_variant(dataset),
        optimizations=names,
        output_types=[tf.int64],
        output_shapes=[[]],
    )
    return _with(
        tf.data.experimental.from_variant(variant, tf.TensorSpec([], tf.int64)),
        tf,
        apply_default_optimizations=False,
        autotune=False,
    )


def raw(tf):
    return _raw(tf, _shuffled(tf).repeat(2), ["shuffle_and_repeat_fusion"])


def raw_none(tf):
    return _raw(tf, _shuffled(tf).repeat(2), tf.constant([], tf.string))


def raw_twice(tf):
    once = _raw(tf, _shuffled(tf).repeat(2), ["noop_elimination"])
    return _raw(tf, once, ["shuffle_and_repeat_fusion"])


def raw_unknown(tf):
    return _raw(tf, _shuffled(tf).repeat(2), ["noop_elimination", "nothing"])


def raw_empty_name(tf):
    return _raw(tf, _shuffled(tf).repeat(2), [""])


def raw_scalar(tf):
    return _raw(tf, _shuffled(tf).repeat(2), "shuffle_and_repeat_fusion")


def raw_without_effect(tf):
    names = "filter_fusion hoist_random_uniform latency_all_edges make_sloppy make_stateless map_and_filter_fusion"
    names += " map_fusion map_parallelization map_vectorization parallel_batch inject_prefetch"
    return _raw(tf, _shuffled(tf).repeat(2), names.split())
