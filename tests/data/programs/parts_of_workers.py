"""Pipelines that are divided among workers: the files that they read, or their elements."""

import numpy as np


def _files(tf, folder):
    """Five text files of three lines. Their names, as a tensor: the folder is another one in each run."""
    for i in range(5):
        with tf.gfile.GFile(f"{folder}/{i}.txt", "w") as written:
            written.write("".join(f"{i}-{line}\n" for line in range(3)))
    return tf.strings.join([folder, tf.constant([f"/{i}.txt" for i in range(5)])])


def _records(tf, folder):
    """Five files of three records."""
    for i in range(5):
        with tf.python_io.TFRecordWriter(f"{folder}/{i}.records") as written:
            for record in range(3):
                written.write(b"%d-%d" % (i, record))
    return tf.strings.join([folder, tf.constant([f"/{i}.records" for i in range(5)])])


def _names(tf, folder):
    return tf.data.Dataset.from_tensor_slices(_files(tf, folder))


def _lines(tf):
    return lambda name: tf.data.TextLineDataset(name)


def _part(tf, dataset, workers=2, index=0, dtype=None, op="AutoShardDataset"):
    dtype = dtype or tf.string
    variant = getattr(tf.raw_ops, op)(
        input_dataset=tf.data.experimental.to_variant(dataset),
        num_workers=workers,
        index=index,
        output_types=[dtype],
        output_shapes=[[]],
    )
    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    options.experimental_optimization.autotune = False
    return tf.data.experimental.from_variant(variant, tf.TensorSpec([], dtype)).with_options(options)


def numbers(tf):
    return _part(tf, tf.data.Dataset.range(7), dtype=tf.int64)


def numbers_of_second(tf):
    return _part(tf, tf.data.Dataset.range(7), index=1, dtype=tf.int64)


def numbers_of_only_one(tf):
    return _part(tf, tf.data.Dataset.range(3), workers=1, dtype=tf.int64)


def numbers_earlier_name(tf):
    return _part(tf, tf.data.Dataset.range(7), dtype=tf.int64, op="ExperimentalAutoShardDataset")


def too_few(tf):
    return _part(tf, tf.data.Dataset.range(1), dtype=tf.int64)


def too_few_for_second(tf):
    return _part(tf, tf.data.Dataset.range(1), index=1, dtype=tf.int64)


def no_workers(tf):
    return _part(tf, tf.data.Dataset.range(7), workers=0, dtype=tf.int64)


def negative_workers(tf):
    return _part(tf, tf.data.Dataset.range(7), workers=-1, dtype=tf.int64)


def index_too_large(tf):
    return _part(tf, tf.data.Dataset.range(7), index=2, dtype=tf.int64)


def index_negative(tf):
    return _part(tf, tf.data.Dataset.range(7), index=-1, dtype=tf.int64)


def records(tf, folder):
    return _part(tf, tf.data.TFRecordDataset(_records(tf, folder)))


def records_of_second(tf, folder):
    return _part(tf, tf.data.TFRecordDataset(_records(tf, folder)), index=1)


def records_in_parallel(tf, folder):
    return _part(tf, tf.data.TFRecordDataset(_records(tf, folder), num_parallel_reads=2))


def records_earlier_name(tf, folder):
    return _part(tf, tf.data.TFRecordDataset(_records(tf, folder)), op="ExperimentalAutoShardDataset")


def more_workers_than_files(tf, folder):
    return _part(tf, tf.data.TFRecordDataset(_records(tf, folder)), workers=10, index=2)


def more_workers_than_files_last(tf, folder):
    return _part(tf, tf.data.TFRecordDataset(_records(tf, folder)), workers=10, index=7)


def lines(tf, folder):
    return _part(tf, tf.data.TextLineDataset(_files(tf, folder)))


def fixed_length_records(tf, folder):
    return _part(tf, tf.data.FixedLengthRecordDataset(_files(tf, folder), 4))


def lines_of_one_reader(tf, folder):
    variant = tf.raw_ops.TextLineDataset(filenames=_files(tf, folder), compression_type="", buffer_size=0)
    return _part(tf, tf.data.experimental.from_variant(variant, tf.TensorSpec([], tf.string)))


def flat_mapped(tf, folder):
    return _part(tf, _names(tf, folder).flat_map(_lines(tf)))


def interleaved(tf, folder):
    return _part(tf, _names(tf, folder).interleave(_lines(tf), 2))


def interleaved_in_parallel(tf, folder):
    return _part(tf, _names(tf, folder).interleave(_lines(tf), 2, num_parallel_calls=2))


def listed_files(tf, folder):
    _files(tf, folder)
    return _part(tf, tf.data.Dataset.list_files(folder + "/*.txt", shuffle=False).flat_map(_lines(tf)))


def listed_files_shuffled(tf, folder):
    _files(tf, folder)
    return _part(tf, tf.data.Dataset.list_files(folder + "/*.txt", seed=3).flat_map(_lines(tf)), index=1)


def shuffled_files(tf, folder):
    return _part(tf, _names(tf, folder).shuffle(5, seed=3).flat_map(_lines(tf)))


def shuffled_files_in_same_order(tf, folder):
    shuffled = _names(tf, folder).shuffle(5, seed=3, reshuffle_each_iteration=False)
    return _part(tf, shuffled.flat_map(_lines(tf)))


def shuffled_and_repeated_files(tf, folder):
    return _part(tf, _names(tf, folder).shuffle(5, seed=3).repeat(2).flat_map(_lines(tf)))


def files_shuffled_twice(tf, folder):
    shuffled = _names(tf, folder).shuffle(5, seed=3, reshuffle_each_iteration=False).map(lambda name: name)
    return _part(tf, shuffled.shuffle(2, seed=4).flat_map(_lines(tf)))


def files_shuffled_in_concatenate(tf, folder):
    names = _files(tf, folder)
    first = tf.data.Dataset.from_tensor_slices(names[:3]).shuffle(5, seed=3, reshuffle_each_iteration=False)
    joined = first.concatenate(tf.data.Dataset.from_tensor_slices(names[3:]))
    return _part(tf, joined.flat_map(_lines(tf)))


def shuffled_elements(tf, folder):
    return _part(tf, _names(tf, folder).flat_map(_lines(tf)).shuffle(5, seed=3))


def repeated_files(tf, folder):
    return _part(tf, _names(tf, folder).repeat(2).flat_map(_lines(tf)))


def reader_in_nested_function(tf, folder):
    names = tf.data.Dataset.from_tensor_slices([_files(tf, folder)])
    return _part(tf, names.flat_map(lambda inner: tf.data.Dataset.from_tensor_slices(inner).flat_map(_lines(tf))))


def reader_before_filter_in_function(tf, folder):
    return _part(tf, _names(tf, folder).flat_map(lambda name: tf.data.TextLineDataset(name).filter(lambda line: True)))


def readers_of_numbers(tf, folder):
    names = _files(tf, folder)
    return _part(tf, tf.data.Dataset.range(5).flat_map(lambda i: tf.data.TextLineDataset(names[i])))


def stages_that_pass(tf, folder):
    read = _names(tf, folder).flat_map(_lines(tf)).map(lambda line: line).filter(lambda line: True).cache().repeat(2)
    batches = read.skip(1).take(12).batch(2).prefetch(1).map(lambda lines: lines[0], 2)
    return _part(tf, batches.shard(1, 0))


def padded_batches(tf, folder):
    return _part(tf, _names(tf, folder).flat_map(_lines(tf)).padded_batch(2, []).map(lambda lines: lines[0]))


def maps_and_batches(tf, folder):
    stage = tf.data.experimental.map_and_batch(lambda line: line, 2)
    return _part(tf, _names(tf, folder).flat_map(_lines(tf)).apply(stage).map(lambda lines: lines[0]))


def shuffled_and_repeated(tf, folder):
    stage = tf.data.experimental.shuffle_and_repeat(2, 1, seed=4)
    return _part(tf, _names(tf, folder).flat_map(_lines(tf)).apply(stage))


def windows(tf, folder):
    counted = _names(tf, folder).flat_map(_lines(tf)).window(2)
    return _part(tf, counted.map(lambda window: window.reduce("", lambda joined, line: joined + line)))


def zipped(tf, folder):
    read = tf.data.TFRecordDataset(_records(tf, folder))
    return _part(tf, tf.data.Dataset.zip((read, read)).map(lambda one, other: one + other))


def zipped_before_numbers(tf, folder):
    read = tf.data.TFRecordDataset(_records(tf, folder))
    return _part(tf, tf.data.Dataset.zip((read, tf.data.Dataset.range(30))).map(lambda record, number: record))


def zipped_behind_numbers(tf, folder):
    read = tf.data.TFRecordDataset(_records(tf, folder))
    return _part(tf, tf.data.Dataset.zip((tf.data.Dataset.range(30), read)).map(lambda number, record: record))


def concatenated(tf, folder):
    read = tf.data.TFRecordDataset(_records(tf, folder))
    return _part(tf, read.concatenate(read))


def concatenated_before_texts(tf, folder):
    read = tf.data.TFRecordDataset(_records(tf, folder))
    return _part(tf, read.concatenate(tf.data.Dataset.from_tensor_slices(["a", "b", "c"])))


def behind_unique(tf, folder):
    return _part(tf, tf.data.TFRecordDataset(_records(tf, folder)).apply(tf.data.experimental.unique()))


def behind_scan(tf, folder):
    stage = tf.data.experimental.scan(np.int64(0), lambda state, record: (state, record))
    return _part(tf, tf.data.TFRecordDataset(_records(tf, folder)).apply(stage))


def behind_ignored_errors(tf, folder):
    return _part(tf, tf.data.TFRecordDataset(_records(tf, folder)).apply(tf.data.experimental.ignore_errors()))


def flat_mapped_records(tf, folder):
    read = tf.data.TFRecordDataset(_records(tf, folder))
    return _part(tf, read.flat_map(lambda record: tf.data.Dataset.from_tensors(record)))


def generated_files(tf, folder):
    _files(tf, folder)
    names = [f"{folder}/{i}.txt" for i in range(5)]
    generated = tf.data.Dataset.from_generator(lambda: iter(names), tf.string, [])
    return _part(tf, generated.flat_map(_lines(tf)))


def samples(tf, folder):
    read = tf.data.TFRecordDataset(_records(tf, folder))
    return _part(tf, tf.data.experimental.sample_from_datasets([read, read], seed=1))


def end_without_graph(tf, folder):
    read = _names(tf, folder).flat_map(_lines(tf))
    variant = tf.raw_ops.NonSerializableDataset(
        input_dataset=tf.data.experimental.to_variant(read), output_types=[tf.string], output_shapes=[[]]
    )
    return _part(tf, tf.data.experimental.from_variant(variant, tf.TensorSpec([], tf.string)))


def files_without_graph(tf, folder):
    variant = tf.raw_ops.NonSerializableDataset(
        input_dataset=tf.data.experimental.to_variant(_names(tf, folder)), output_types=[tf.string], output_shapes=[[]]
    )
    names = tf.data.experimental.from_variant(variant, tf.TensorSpec([], tf.string))
    return _part(tf, names.flat_map(_lines(tf)))
