"""Pipelines of files, and parsing, in tf.data.experimental."""

import gzip
import sqlite3

_ROWS = b"id,name,score\n1,a,0.5\n2,b,1.5\n3,,2\n4,d,-1e3\n"


def _write(folder, name, content):
    with open(folder + "/" + name, "wb") as file:
        file.write(content)
    return folder + "/" + name


def csv_rows(tf, folder):
    return tf.data.experimental.CsvDataset(
        _write(folder, "a.csv", _ROWS), [tf.int32, tf.constant(["none"]), tf.float32], header=True
    )


def csv_rows_of_two(tf, folder):
    names = [_write(folder, "a.csv", b"1;'x\n2;y\n"), _write(folder, "b.csv", b"3;z")]
    return tf.data.experimental.CsvDataset(
        filenames=names,
        record_defaults=[tf.int64, tf.string],
        buffer_size=16,
        field_delim=";",
        use_quote_delim=False,
    )


def csv_rows_selected(tf, folder):
    name = _write(folder, "a.csv.gz", gzip.compress(_ROWS))
    return tf.data.experimental.CsvDataset(
        name, [[7], [0.0]], compression_type="GZIP", header=True, select_cols=[0, 2], na_value="2"
    )


def csv_rows_quoted(tf, folder):
    name = _write(folder, "a.csv", b'"a, b",1\r\n"say ""x""",2\n')
    return tf.data.experimental.CsvDataset(name, [tf.string, tf.float64])


def csv_rows_empty_required(tf, folder):
    return tf.data.experimental.CsvDataset(_write(folder, "a.csv", b"1,\n"), [tf.int32, tf.int32])


def csv_rows_no_number(tf, folder):
    return tf.data.experimental.CsvDataset(_write(folder, "a.csv", b"1,x\n"), [tf.int32, tf.int32])


def csv_rows_too_short(tf, folder):
    return tf.data.experimental.CsvDataset(_write(folder, "a.csv", b"1,2\n3\n"), [tf.int32, tf.int32])


def csv_rows_missing_file(tf, folder):
    return tf.data.experimental.CsvDataset(folder + "/none.csv", [tf.int32])


def csv_rows_wrong_type(tf, folder):
    return tf.data.experimental.CsvDataset(folder + "/none.csv", [tf.bool])


def csv_rows_in_v2(tf, folder):
    name = _write(folder, "a.csv", b"1,2\n")
    return tf.compat.v2.data.experimental.CsvDataset(name, [tf.int32, tf.int32]).map(lambda x, y: x + y)


def csv(tf, folder):
    name = _write(folder, "a.csv", _ROWS)
    return tf.data.experimental.make_csv_dataset(name, 2, num_epochs=1, shuffle=False)


def csv_label(tf, folder):
    _write(folder, "a.csv", _ROWS)
    _write(folder, "b.csv", b"id,name,score\n10,z,9\n")
    return tf.data.experimental.make_csv_dataset(
        folder + "/*.csv", 2, label_name="score", num_epochs=2, shuffle=False, num_parallel_reads=2
    )


def csv_shuffled(tf, folder):
    name = _write(folder, "a.csv", _ROWS)
    return tf.data.experimental.make_csv_dataset([name], 2, shuffle_seed=5, prefetch_buffer_size=3).take(5)


def csv_shuffled_once(tf, folder):
    name = _write(folder, "a.csv", _ROWS)
    return tf.data.experimental.make_csv_dataset([name], 3, shuffle_buffer_size=2, shuffle_seed=5, num_epochs=1)


def csv_given(tf, folder):
    name = _write(folder, "a.csv", b"1|NA|3\nNA|5|6\n")
    return tf.data.experimental.make_csv_dataset(
        name,
        1,
        column_names=["x", "y", "z"],
        column_defaults=[tf.constant([-1]), tf.constant([0.5]), tf.string],
        field_delim="|",
        na_value="NA",
        header=False,
        num_epochs=1,
        shuffle=False,
    )


def csv_selected(tf, folder):
    name = _write(folder, "a.csv", _ROWS)
    return tf.data.experimental.make_csv_dataset(
        name, 2, select_columns=["score", 0], num_epochs=1, shuffle=False, num_rows_for_inference=2
    )


def csv_types(tf, folder):
    content = b"a,b,c,d,e,f\n1,1,1.5,1e39,x,\n2,3000000000,2,1,3,\n"
    name = _write(folder, "a.csv", content)
    return tf.data.experimental.make_csv_dataset(name, 2, num_epochs=1, shuffle=False)


def csv_types_of_first_row(tf, folder):
    name = _write(folder, "a.csv", b"a\n1\n2.5\n")
    return tf.data.experimental.make_csv_dataset(name, 2, num_epochs=1, shuffle=False, num_rows_for_inference=1)


def csv_gzip(tf, folder):
    name = _write(folder, "a.csv.gz", gzip.compress(_ROWS))
    return tf.data.experimental.make_csv_dataset(name, 4, compression_type="GZIP", num_epochs=1, shuffle=False)


def csv_ignoring_errors(tf, folder):
    name = _write(folder, "a.csv", b"a,b\n1,2\nx,3\n4,5\n")
    return tf.data.experimental.make_csv_dataset(
        name, 1, column_defaults=[tf.int32, tf.int32], num_epochs=1, shuffle=False, ignore_errors=True
    )


def csv_autotuned(tf, folder):
    name = _write(folder, "a.csv", _ROWS)
    return tf.data.experimental.make_csv_dataset(
        name, 2, num_epochs=1, shuffle=False, num_parallel_reads=tf.data.experimental.AUTOTUNE
    )


def csv_no_match(tf):
    return tf.data.experimental.make_csv_dataset("/no/such/*.csv", 2)


def csv_no_patterns(tf):
    return tf.data.experimental.make_csv_dataset([], 2)


def csv_no_header(tf, folder):
    return tf.data.experimental.make_csv_dataset(_write(folder, "a.csv", _ROWS), 2, header=False)


def csv_empty(tf, folder):
    return tf.data.experimental.make_csv_dataset(_write(folder, "a.csv", b""), 2)


def csv_different_headers(tf, folder):
    names = [_write(folder, "a.csv", b"a,b\n1,2\n"), _write(folder, "b.csv", b"a,c\n1,2\n")]
    return tf.data.experimental.make_csv_dataset(names, 2)


def csv_ragged(tf, folder):
    return tf.data.experimental.make_csv_dataset(_write(folder, "a.csv", b"a,b\n1\n"), 2)


def csv_duplicate_columns(tf, folder):
    return tf.data.experimental.make_csv_dataset(_write(folder, "a.csv", b"a,a\n1,2\n"), 2)


def csv_unknown_label(tf, folder):
    return tf.data.experimental.make_csv_dataset(_write(folder, "a.csv", _ROWS), 2, label_name="x")


def csv_unknown_column(tf, folder):
    return tf.data.experimental.make_csv_dataset(_write(folder, "a.csv", _ROWS), 2, select_columns=["x"])


def csv_column_out_of_range(tf, folder):
    return tf.data.experimental.make_csv_dataset(_write(folder, "a.csv", _ROWS), 2, select_columns=[3])


def csv_column_twice(tf, folder):
    return tf.data.experimental.make_csv_dataset(_write(folder, "a.csv", _ROWS), 2, select_columns=[0, "id"])


def csv_too_many_defaults(tf, folder):
    return tf.data.experimental.make_csv_dataset(
        _write(folder, "a.csv", _ROWS), 2, select_columns=[0], column_defaults=[tf.int32, tf.int32]
    )


def csv_zlib(tf, folder):
    return tf.data.experimental.make_csv_dataset(_write(folder, "a.csv", _ROWS), 2, compression_type="ZLIB")


def csv_unknown_compression(tf, folder):
    return tf.data.experimental.make_csv_dataset(_write(folder, "a.csv", _ROWS), 2, compression_type="LZ4")


def _database(folder):
    connection = sqlite3.connect(folder + "/a.db")
    connection.execute("CREATE TABLE t (id INTEGER, name TEXT, score REAL)")
    connection.executemany("INSERT INTO t VALUES (?, ?, ?)", [(1, "a", 0.5), (2, "b", 1.5)])
    connection.commit()
    connection.close()
    return folder + "/a.db"


def sql(tf, folder):
    return tf.data.experimental.SqlDataset(
        "sqlite", _database(folder), "SELECT * FROM t ORDER BY id", (tf.int32, tf.string, tf.float64)
    )


def sql_one_column(tf, folder):
    return tf.compat.v2.data.experimental.SqlDataset(
        "sqlite", _database(folder), "SELECT name FROM t ORDER BY id DESC", (tf.string,)
    )


def sql_unknown_driver(tf, folder):
    return tf.data.experimental.SqlDataset("sqlit", _database(folder), "SELECT 1", (tf.int32,))


def _example(tf, number):
    int_list = tf.train.Int64List(value=range(number))
    features = {
        "id": tf.train.Feature(int64_list=tf.train.Int64List(value=[number])),
        "text": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"t%d" % number])),
        "list": tf.train.Feature(int64_list=int_list),
        "at": tf.train.Feature(int64_list=tf.train.Int64List(value=[number % 3])),
        "value": tf.train.Feature(float_list=tf.train.FloatList(value=[number + 0.5])),
    }
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString(deterministic=True)


def _examples(tf, count=4):
    return tf.data.Dataset.from_tensor_slices([_example(tf, number) for number in range(count)]).batch(2)


def parsed(tf):
    features = {"id": tf.FixedLenFeature([], tf.int64), "list": tf.VarLenFeature(tf.int64)}
    return _examples(tf).apply(tf.data.experimental.parse_example_dataset(features))


def parsed_all_kinds(tf):
    features = {
        "id": tf.FixedLenFeature([1], tf.int64, default_value=[7]),
        "none": tf.FixedLenFeature([2], tf.float32, default_value=[0.5, 1.5]),
        "list": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True),
        "padded": tf.FixedLenSequenceFeature([2], tf.string, allow_missing=True, default_value="x"),
        "text": tf.VarLenFeature(tf.string),
        "sparse": tf.SparseFeature("at", "value", tf.float32, 3),
    }
    return _examples(tf).apply(tf.data.experimental.parse_example_dataset(features, num_parallel_calls=2))


def parsed_none(tf):
    return tf.data.experimental.parse_example_dataset(None), None


def parsed_empty(tf):
    return _examples(tf).apply(tf.data.experimental.parse_example_dataset({}))


def parsed_scalars(tf):
    features = {"id": tf.FixedLenFeature([], tf.int64)}
    return tf.data.Dataset.from_tensors("").apply(tf.data.experimental.parse_example_dataset(features))


def parsed_missing(tf):
    features = {"nothing": tf.FixedLenFeature([], tf.int64)}
    return _examples(tf).apply(tf.data.experimental.parse_example_dataset(features))


def _records(tf, folder, count=5):
    with tf.python_io.TFRecordWriter(folder + "/a.tfrecord") as writer:
        for number in range(count):
            writer.write(_example(tf, number))
    return folder + "/a.tfrecord"


def batched_features(tf, folder):
    features = {"id": tf.FixedLenFeature([], tf.int64), "text": tf.FixedLenFeature([], tf.string)}
    return tf.data.experimental.make_batched_features_dataset(
        _records(tf, folder), 2, features, num_epochs=1, shuffle=False
    )


def batched_features_label(tf, folder):
    features = {"id": tf.FixedLenFeature([], tf.int64), "text": tf.FixedLenFeature([], tf.string)}
    return tf.data.experimental.make_batched_features_dataset(
        file_pattern=_records(tf, folder),
        batch_size=2,
        features=features,
        label_key="id",
        num_epochs=2,
        shuffle_seed=3,
        reader_num_threads=2,
        parser_num_threads=3,
        drop_final_batch=True,
    )


def batched_features_of_pairs(tf, folder):
    def reader(name):
        records = tf.data.TFRecordDataset(name)
        return tf.data.Dataset.zip((records.map(lambda _: name), records))

    features = {"list": tf.VarLenFeature(tf.int64)}
    return tf.data.experimental.make_batched_features_dataset(
        _records(tf, folder), 3, features, reader=reader, num_epochs=1, shuffle=False
    )


def batched_features_endless(tf, folder):
    features = {"id": tf.FixedLenFeature([], tf.int64)}
    return tf.data.experimental.make_batched_features_dataset(
        _records(tf, folder), 2, features, reader_args=["", 100], shuffle=False, prefetch_buffer_size=2
    ).take(4)


def batched_features_autotuned(tf, folder):
    features = {"id": tf.FixedLenFeature([], tf.int64)}
    return tf.data.experimental.make_batched_features_dataset(
        _records(tf, folder), 2, features, shuffle=False, num_epochs=1, reader_num_threads=-1
    )


def batched_features_unknown_label(tf, folder):
    features = {"id": tf.FixedLenFeature([], tf.int64)}
    return tf.data.experimental.make_batched_features_dataset(_records(tf, folder), 2, features, label_key="x")


def batched_features_old_reader(tf, folder):
    features = {"id": tf.FixedLenFeature([], tf.int64)}
    return tf.data.experimental.make_batched_features_dataset(
        _records(tf, folder), 2, features, reader=tf.TFRecordReader
    )


def written(tf, folder):
    writer = tf.data.experimental.TFRecordWriter(folder + "/b.tfrecord")
    write = writer.write(tf.data.Dataset.from_tensor_slices(["a", "b"]))
    return write, tf.constant(1)


def written_compressed(tf, folder):
    writer = tf.data.experimental.TFRecordWriter(tf.constant(folder + "/b.tfrecord", name="name"), "GZIP")
    return writer.write(tf.data.Dataset.from_tensor_slices(["a", "b"])), tf.constant(1)


def written_numbers(tf, folder):
    return tf.data.experimental.TFRecordWriter(folder + "/b").write(tf.data.Dataset.range(2)), None


def written_no_dataset(tf, folder):
    return tf.data.experimental.TFRecordWriter(folder + "/b").write(["a"]), None


def saveable(tf):
    iterator = tf.data.make_initializable_iterator(tf.data.Dataset.range(3))
    saveable = tf.data.experimental.make_saveable_from_iterator(iterator)
    return iterator.initializer, (iterator.get_next(), tf.constant([saveable.name, saveable.specs[0].name]))
