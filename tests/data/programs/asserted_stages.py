"""Datasets that check which stages follow them in the pipeline that runs."""

import numpy as np


def _asserted(tf, dataset, *names, **how):
    op = getattr(tf.raw_ops, how.get("op", "AssertNextDataset"))
    variant = op(
        input_dataset=tf.data.experimental.to_variant(dataset),
        transformations=tf.constant(list(names), tf.string),
        output_types=[tf.int64],
        output_shapes=[[]],
    )
    return tf.data.experimental.from_variant(variant, tf.TensorSpec([], tf.int64))


def _plain(dataset, tf):
    """With nothing but the stages of the program."""
    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    options.experimental_optimization.autotune = False
    return dataset.with_options(options)


def _wrong(tf):
    return _asserted(tf, tf.data.Dataset.range(6), "Wrong")


def nothing(tf):
    return _asserted(tf, tf.data.Dataset.range(2))


def too_many(tf):
    return _plain(_asserted(tf, tf.data.Dataset.range(2), "Map", "Prefetch").map(lambda x: x), tf)


def right(tf):
    names = ["Map", "BatchV2", "FiniteTake"]
    return _plain(_asserted(tf, tf.data.Dataset.range(6), *names).map(lambda x: x).batch(2).take(2), tf)


def wrong_second(tf):
    return _plain(_asserted(tf, tf.data.Dataset.range(6), "Map", "Batch").map(lambda x: x).batch(2).take(1), tf)


def earlier_name(tf):
    dataset = _asserted(tf, tf.data.Dataset.range(6), "Map", op="ExperimentalAssertNextDataset")
    return _plain(dataset.map(lambda x: x).batch(2), tf)


def earlier_name_wrong(tf):
    dataset = _asserted(tf, tf.data.Dataset.range(6), "Batch", op="ExperimentalAssertNextDataset")
    return _plain(dataset.map(lambda x: x), tf)


def one_behind_another(tf):
    return _plain(
        _asserted(tf, _asserted(tf, tf.data.Dataset.range(2), "AssertNext", "Map"), "Map").map(lambda x: x), tf
    )


def with_model(tf):
    return _asserted(tf, tf.data.Dataset.range(6), "BatchV2", "Model").batch(2)


def with_model_too_many(tf):
    return _asserted(tf, tf.data.Dataset.range(6), "BatchV2", "Model", "Other").batch(2)


def fused(tf):
    return _asserted(tf, tf.data.Dataset.range(6), "ShuffleAndRepeat", "Model").shuffle(2, seed=1).repeat(2)


def not_fused(tf):
    return _plain(_asserted(tf, tf.data.Dataset.range(6), "Shuffle", "FiniteRepeat").shuffle(2, seed=1).repeat(2), tf)


def fused_wrong(tf):
    return _asserted(tf, tf.data.Dataset.range(6), "Shuffle").shuffle(2, seed=1).repeat(2)


def noops(tf):
    return _asserted(tf, tf.data.Dataset.range(2), "Map").take(-1).map(lambda x: x).skip(0)


def behind_map(tf):
    return _plain(_wrong(tf).map(lambda x: x), tf)


def behind_parallel_map(tf):
    return _plain(_wrong(tf).map(lambda x: x, 2), tf)


def behind_filter(tf):
    return _plain(_wrong(tf).filter(lambda x: True), tf)


def behind_padded_batch(tf):
    return _plain(_wrong(tf).padded_batch(2, []), tf)


def behind_repeat(tf):
    return _plain(_wrong(tf).repeat(2), tf)


def behind_endless_repeat(tf):
    return _plain(_wrong(tf).repeat(), tf)


def behind_empty_repeat(tf):
    return _plain(_wrong(tf).repeat(0), tf)


def behind_take(tf):
    return _plain(_wrong(tf).take(2), tf)


def behind_whole_take(tf):
    return _plain(_wrong(tf).take(-1), tf)


def behind_skip(tf):
    return _plain(_wrong(tf).skip(2), tf)


def behind_shuffle(tf):
    return _plain(_wrong(tf).shuffle(2), tf)


def behind_cache(tf):
    return _plain(_wrong(tf).cache(), tf)


def behind_cache_file(tf, folder):
    return _plain(_wrong(tf).cache(folder + "/cache"), tf)


def behind_prefetch(tf):
    return _plain(_wrong(tf).prefetch(1), tf)


def behind_zip(tf):
    return _plain(tf.data.Dataset.zip((tf.data.Dataset.range(3), _wrong(tf))), tf)


def behind_concatenate(tf):
    return _plain(tf.data.Dataset.range(2).concatenate(_wrong(tf)), tf)


def behind_flat_map(tf):
    return _plain(_wrong(tf).flat_map(lambda x: tf.data.Dataset.range(2)), tf)


def behind_interleave(tf):
    return _plain(_wrong(tf).interleave(lambda x: tf.data.Dataset.range(2), 2), tf)


def behind_parallel_interleave(tf):
    return _plain(_wrong(tf).interleave(lambda x: tf.data.Dataset.range(2), 2, num_parallel_calls=2), tf)


def behind_early_parallel_interleave(tf):
    stage = tf.data.experimental.parallel_interleave(lambda x: tf.data.Dataset.range(2), 2)
    return _plain(_wrong(tf).apply(stage), tf)


def behind_map_and_batch(tf):
    return _plain(_wrong(tf).apply(tf.data.experimental.map_and_batch(lambda x: x, 2)), tf)


def behind_shard(tf):
    return _plain(_wrong(tf).shard(2, 0), tf)


def behind_scan(tf):
    return _plain(_wrong(tf).apply(tf.data.experimental.scan(np.int64(0), lambda state, x: (state, x))), tf)


def behind_unique(tf):
    return _plain(_wrong(tf).apply(tf.data.experimental.unique()), tf)


def behind_ignore_errors(tf):
    return _plain(_wrong(tf).apply(tf.data.experimental.ignore_errors()), tf)


def behind_take_while(tf):
    return _plain(_wrong(tf).apply(tf.data.experimental.take_while(lambda x: True)), tf)


def behind_group_by_window(tf):
    stage = tf.data.experimental.group_by_window(lambda x: x % 2, lambda key, group: group.batch(2), 2)
    return _plain(_wrong(tf).apply(stage), tf)


def behind_samples(tf):
    sampled = tf.data.experimental.sample_from_datasets([_wrong(tf), tf.data.Dataset.range(3)], seed=1)
    return _plain(sampled, tf)


def behind_latency_stats(tf):
    return _plain(_wrong(tf).apply(tf.data.experimental.latency_stats("time")), tf)


def behind_bytes_produced_stats(tf):
    return _plain(_wrong(tf).apply(tf.data.experimental.bytes_produced_stats("bytes")), tf)


def behind_window(tf):
    return _plain(_wrong(tf).window(2).flat_map(lambda window: window), tf)


def in_function(tf):
    return _plain(
        tf.data.Dataset.range(2).flat_map(lambda x: _asserted(tf, tf.data.Dataset.range(2), "Map").map(lambda y: y)), tf
    )


def in_function_wrong(tf):
    return _plain(tf.data.Dataset.range(2).flat_map(lambda x: _wrong(tf).map(lambda y: y)), tf)
