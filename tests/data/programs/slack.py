"""Pipelines whose last prefetch is to have slack, which some of their stages do not allow."""


def _slack(tf, dataset, devices=None):
    options = tf.data.Options()
    options.experimental_slack = True
    options.experimental_optimization.autotune = False
    if devices is not None:
        options.experimental_distribute.num_devices = devices
    return dataset.with_options(options)


def _ready(tf):
    return tf.data.Dataset.range(3).prefetch(1)


def at_the_end(tf):
    return _slack(tf, _ready(tf))


def for_two_devices(tf):
    return _slack(tf, _ready(tf), 2)


def for_no_device(tf):
    return _slack(tf, _ready(tf), 0)


def without_prefetch(tf):
    return _slack(tf, tf.data.Dataset.range(3))


def before_others(tf):
    dataset = _ready(tf).map(lambda x: x + 1).filter(lambda x: x > 1).skip(1).take(3).shard(1, 0).cache()
    return _slack(tf, dataset.map(lambda x: x, num_parallel_calls=2).shuffle(2, seed=1).repeat(2))


def before_batch(tf):
    return _slack(tf, _ready(tf).batch(2))


def before_flat_map(tf):
    return _slack(tf, _ready(tf).flat_map(lambda x: tf.data.Dataset.range(2)))


def before_interleave(tf):
    return _slack(tf, _ready(tf).interleave(lambda x: tf.data.Dataset.range(2), 2))


def before_unbatch(tf):
    return _slack(tf, tf.data.Dataset.range(4).batch(2).prefetch(1).unbatch())


def before_scan(tf):
    return _slack(tf, _ready(tf).apply(tf.data.experimental.scan(tf.constant(0, tf.int64), lambda s, x: (s, x))))


def before_samples(tf):
    return _slack(tf, tf.data.experimental.sample_from_datasets([_ready(tf), _ready(tf)], seed=1))


def in_all_of_zip(tf):
    return _slack(tf, tf.data.Dataset.zip((_ready(tf), _ready(tf))))


def in_one_of_zip(tf):
    return _slack(tf, tf.data.Dataset.zip((_ready(tf), tf.data.Dataset.range(3))))


def in_all_of_concatenate(tf):
    return _slack(tf, _ready(tf).concatenate(_ready(tf)))


def in_one_of_concatenate(tf):
    return _slack(tf, tf.data.Dataset.range(3).concatenate(_ready(tf)))
