"""Programs of datasets of generators, of parsed Examples, of rows of databases, and of datasets as graphs and files."""

import importlib
import os
import sqlite3

from data.raw_datasets_sources import i64, outcome, text

__all__ = ["outcome", "programs"]


def programs(tf):
    """The programs by name."""
    raw = tf.raw_ops
    int64s = [tf.int64], [[]]
    made = {}

    def count(tf, n=4):
        return raw.RangeDataset(
            start=i64(tf, 0), stop=i64(tf, n), step=i64(tf, 1), output_types=int64s[0], output_shapes=int64s[1]
        )

    def example(**features):
        kinds = {bytes: "bytes_list", float: "float_list", int: "int64_list"}
        lists = {bytes: tf.train.BytesList, float: tf.train.FloatList, int: tf.train.Int64List}
        return tf.train.Example(
            features=tf.train.Features(
                feature={
                    name: tf.train.Feature(**{kinds[type(values[0])]: lists[type(values[0])](value=values)})
                    for name, values in features.items()
                }
            )
        ).SerializeToString()

    examples = [example(a=[1, 2], v=[1.0, 2.0], s=[1, 2, 3], b=[b"x"]), example(v=[4.0], s=[9]), example(a=[3, 4]), b""]

    def parsed(batches, *, defaults=((5, 6), (0.5,)), parallel=1, op="ParseExampleDataset", **changed):
        def program(tf, folder):
            arguments = {
                "sparse_keys": ["s", "b"],
                "dense_keys": ["a", "v"],
                "sparse_types": [tf.int64, tf.string],
                "dense_shapes": [[2], [None]],
                "output_types": [tf.int64, tf.variant, tf.variant, tf.float32],
                "output_shapes": [[None, 2], [3], [3], [None, None]],
            }
            arguments.update(changed)
            dataset = getattr(raw, op)(
                input_dataset=raw.TensorSliceDataset(components=[batches], output_shapes=[[None]]),
                num_parallel_calls=i64(tf, parallel),
                dense_defaults=[tf.constant(defaults[0], tf.int64), tf.constant(defaults[1], tf.float32)],
                **arguments,
            )

            return _unpacked(tf, dataset)

        return program

    batches = [examples[:2], examples[2:]]
    made.update(
        {
            "examples": parsed(batches),
            "examples, early": parsed(batches, op="ExperimentalParseExampleDataset"),
            "examples in parallel": parsed(batches, parallel=4),
            "examples with automatic parallelism": parsed(batches, parallel=-1),
            "examples without parallelism": parsed(batches, parallel=0),
            "examples with a missing feature": parsed(batches, defaults=((), (0.5,))),
            "examples with another default": parsed(batches, defaults=((1, 2, 3), (0.5,))),
            "examples with two paddings": parsed(batches, defaults=((1, 2), (0.5, 1))),
            "examples with fewer dense keys": parsed(batches, dense_keys=["a"]),
            "examples with equal keys": parsed(batches, sparse_keys=["a", "b"]),
            "examples with unknown sizes": parsed(batches, dense_shapes=[[2, None], [None]]),
        }
    )

    def rows(query, types, *, database="t.db", driver="sqlite", shapes=None, op="SqlDataset"):
        def program(tf, folder):
            if database == "t.db":
                _make_database(os.path.join(folder, database))
            source = database if database == ":memory:" else os.path.join(folder, database)
            all_shapes = shapes or [[]] * len(types)
            dataset = getattr(raw, op)(
                driver_name=text(tf, driver),
                data_source_name=text(tf, source),
                query=text(tf, query),
                output_types=types,
                output_shapes=all_shapes,
            )
            # TensorFlow begins again behind the end.
            first = raw.TakeDataset(
                input_dataset=dataset, count=i64(tf, 4), output_types=types, output_shapes=all_shapes
            )
            return first, types, all_shapes

        return program

    for dtype in (tf.string, tf.int8, tf.int32, tf.int64, tf.uint8, tf.uint16, tf.float64):
        for column in "ifsnm":
            made[f"rows of {column} as {dtype.name}"] = rows(f"select {column} from t", [dtype])
    made.update(
        {
            "rows of texts as bools": rows("select s from t", [tf.bool]),
            "rows of bytes": rows("select b from t", [tf.string]),
            "rows, early": rows("select i from t", [tf.int64], op="ExperimentalSqlDataset"),
            "rows of two columns": rows("select i, s from t where i > 0 limit 4", [tf.int64, tf.string]),
            "rows of floats": rows("select f from t", [tf.float32]),
            "rows with fewer columns": rows("select i from t", [tf.int64, tf.string]),
            "rows with more columns": rows("select i, s from t", [tf.int64]),
            "rows of an unknown column": rows("select nope from t", [tf.int64]),
            "rows of no statement": rows("selec", [tf.int64]),
            "rows of an unknown table": rows("select * from u", [tf.int64]),
            "rows of another driver": rows("select i from t", [tf.int64], driver="mysql"),
            "rows of an empty query": rows("", [tf.int64]),
            "rows of an empty result": rows("select i from t where 0", [tf.int64]),
            "rows of an insertion": rows("insert into t values (5, 5, 'x', 'x', 1, 1)", [tf.int64]),
            "rows of a creation": rows("create table z (a)", [tf.int64]),
            "rows of vectors": rows("select i from t", [tf.int64], shapes=[[1]]),
            "rows of a failing expression": rows("select abs(-9223372036854775807 - 1)", [tf.int64]),
        }
    )

    def through_graph(make):
        def program(tf, folder):
            dataset, types, shapes = make(tf, folder)
            graph = raw.DatasetToGraph(input_dataset=dataset)
            unfolded = tf.py_func(lambda one: one, [graph], tf.string)  # TensorFlow cannot fold a dataset
            unfolded.set_shape([])
            return raw.DatasetFromGraph(graph_def=unfolded), types, shapes

        return program

    def of_graph(graph_def):
        def program(tf, folder):
            fed = tf.py_func(lambda: graph_def, [], tf.string)
            fed.set_shape([])
            return (raw.DatasetFromGraph(graph_def=fed),) + int64s

        return program

    def node_names(make):
        def program(tf, folder):
            def described(graph_def):
                nodes = tf.GraphDef.FromString(graph_def).node
                texts = [f"{n.name} {n.op} {' '.join(n.input)} {' '.join(sorted(n.attr))}" for n in nodes]
                return "\n".join(texts).encode()

            texts = tf.py_func(described, [raw.DatasetToGraph(input_dataset=make(tf, folder)[0])], tf.string)
            return raw.TensorDataset(components=[texts], output_shapes=[[]]), [tf.string], [[]]

        return program

    def zipped(tf, folder):
        dataset = raw.ZipDataset(
            input_datasets=[count(tf), count(tf, 3)], output_types=[tf.int64] * 2, output_shapes=[[], []]
        )
        return dataset, [tf.int64] * 2, [[], []]

    def batched(tf, folder):
        dataset = raw.BatchDatasetV2(
            input_dataset=count(tf, 5),
            batch_size=i64(tf, 2),
            drop_remainder=tf.constant(False),
            output_types=[tf.int64],
            output_shapes=[[None]],
        )
        return dataset, [tf.int64], [[None]]

    def lasting(tf, folder):
        dataset = raw.NonSerializableDataset(input_dataset=count(tf), output_types=int64s[0], output_shapes=int64s[1])
        return (dataset,) + int64s

    def sparse_rows(tf, folder):
        dataset = raw.SparseTensorSliceDataset(
            indices=i64(tf, [[0, 0], [1, 1]]), values=tf.constant(["a", "b"]), dense_shape=i64(tf, [2, 2])
        )
        return dataset, [tf.int64, tf.string, tf.int64], [[None, None], [None], [None]]

    made.update(
        {
            "graph of numbers": through_graph(lambda tf, folder: (count(tf),) + int64s),
            "graph of pairs": through_graph(zipped),
            "graph of batches": through_graph(batched),
            "graph of sparse rows": through_graph(sparse_rows),
            "graph of a dataset without one": through_graph(lasting),
            "graph of nothing": of_graph(b""),
            "graph of other bytes": of_graph(b"xx"),
            "nodes of numbers": node_names(lambda tf, folder: (count(tf),)),
            "nodes of pairs": node_names(zipped),
            "nodes of batches": node_names(batched),
            "nodes of sparse rows": node_names(sparse_rows),
        }
    )

    def written(contents, compression):
        def program(tf, folder):
            path = os.path.join(folder, "written")
            write = raw.DatasetToTFRecord(
                input_dataset=raw.TensorSliceDataset(components=[contents], output_shapes=[[]]),
                filename=text(tf, path),
                compression_type=text(tf, compression),
            )
            with tf.control_dependencies([write]):
                names = tf.identity(text(tf, [path]))
            dataset = raw.TFRecordDataset(
                filenames=names, compression_type=text(tf, compression), buffer_size=i64(tf, 0)
            )
            return dataset, [tf.string], [[]]

        return program

    made.update({f"written {name or 'plainly'}": written(["a", "bc", ""], name) for name in ("", "GZIP", "ZLIB")})
    made["written to an absent folder"] = lambda tf, folder: (
        _after(
            tf,
            raw.DatasetToTFRecord(
                input_dataset=raw.TensorSliceDataset(components=[["a"]], output_shapes=[[]]),
                filename=text(tf, folder + "/absent/file"),
                compression_type=text(tf, ""),
            ),
            lambda: count(tf),
        ),
        *int64s,
    )
    return made


def _after(tf, operation, make):
    """A dataset that is made after an operation."""
    with tf.control_dependencies([operation]):
        return make()


def _unpacked(tf, dataset):
    """The dataset of `a`, `b`, `s` and `v` with the parts of the SparseTensors `b` and `s`."""
    function = importlib.import_module(tf.__name__.split(".", maxsplit=1)[0] + ".python.framework.function")

    @function.Defun(tf.int64, tf.variant, tf.variant, tf.float32)
    def parts(a, b, s, v):
        b_parts = tf.raw_ops.DeserializeSparse(serialized_sparse=b, dtype=tf.string)
        s_parts = tf.raw_ops.DeserializeSparse(serialized_sparse=s, dtype=tf.int64)
        return [a, *b_parts, *s_parts, v]

    types = [tf.int64, tf.int64, tf.string, tf.int64, tf.int64, tf.int64, tf.int64, tf.float32]
    shapes = [[None, None], [None, None], [None], [None], [None, None], [None], [None], [None, None]]
    mapped = tf.raw_ops.MapDataset(
        input_dataset=dataset, other_arguments=[], f=parts, output_types=types, output_shapes=shapes
    )
    return mapped, types, shapes


def _make_database(path):
    connection = sqlite3.connect(path)
    connection.execute("create table t (i integer, f real, s text, b blob, n, m)")
    connection.executemany(
        "insert into t values (?, ?, ?, ?, ?, ?)",
        [
            (1, 1.5, "a", b"\x00\xff", None, "12abc"),
            (-300, 2.0, "2.5e1x", b"xyz", 3.7, "true"),
            (2**40, 1e300, "", b"", "7", "0"),
            (9007199254740993, -0.1, "99999999999999999999", b"5", 1 / 3, "1"),
        ],
    )
    connection.commit()
    connection.close()
