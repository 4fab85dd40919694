"""Programs of the datasets that read files: lines, records of fixed length, records."""

from data.raw_datasets_sources import compressed, i64, outcome, records, text, write

__all__ = ["outcome", "programs"]


def programs(tf):
    """The programs by name."""
    raw = tf.raw_ops
    strings = [tf.string], [[]]

    def lines(*contents, compression="", buffer=0, names=None, as_scalar=False):
        def program(tf, folder):
            files = [write(folder, f"f{i}", content, compression) for i, content in enumerate(contents)]
            files = names(folder, files) if names else files
            dataset = raw.TextLineDataset(
                filenames=text(tf, files[0] if as_scalar else files),
                compression_type=text(tf, compression),
                buffer_size=i64(tf, buffer),
            )
            return (dataset,) + strings

        return program

    def missing(folder, files):
        return [files[0], folder + "/absent", files[-1]]

    def fixed(*contents, header=0, record=3, footer=0, compression=None, buffer=0, names=None):
        def program(tf, folder):
            files = [write(folder, f"f{i}", content, compression or "") for i, content in enumerate(contents)]
            files = names(folder, files) if names else files
            arguments = {
                "filenames": text(tf, files),
                "header_bytes": i64(tf, header),
                "record_bytes": i64(tf, record),
                "footer_bytes": i64(tf, footer),
                "buffer_size": i64(tf, buffer),
            }
            if compression is None:
                return (raw.FixedLengthRecordDataset(**arguments),) + strings
            dataset = raw.FixedLengthRecordDatasetV2(compression_type=text(tf, compression), **arguments)
            return (dataset,) + strings

        return program

    def tf_records(*contents, compression="", buffer=0, names=None, damage=None, claimed=None):
        def program(tf, folder):
            files = []
            for i, content in enumerate(contents):
                whole = records(*content)
                files.append(write(folder, f"f{i}", damage(whole) if damage else whole, compression))
            files = names(folder, files) if names else files
            dataset = raw.TFRecordDataset(
                filenames=text(tf, files),
                compression_type=text(tf, compression if claimed is None else claimed),
                buffer_size=i64(tf, buffer),
            )
            return (dataset,) + strings

        return program

    def arguments(op, **changed):
        def program(tf, folder):
            path = write(folder, "f", b"abcdefghi")
            inputs = {"filenames": text(tf, [path]), "compression_type": text(tf, ""), "buffer_size": i64(tf, 10)}
            if op.startswith("Fixed"):
                inputs.update(header_bytes=i64(tf, 0), record_bytes=i64(tf, 3), footer_bytes=i64(tf, 0))
            if op == "FixedLengthRecordDataset":
                del inputs["compression_type"]
            inputs.update({name: value(tf) for name, value in changed.items()})
            return (getattr(raw, op)(**inputs),) + strings

        return program

    def fed(dtype, value):
        return lambda tf: tf.placeholder_with_default(tf.constant(value, dtype), None)

    made = {
        "lines": lines(b"one\ntwo\nthree\n"),
        "lines without a last end": lines(b"one\ntwo", b"", b"\n", b"three"),
        "lines with carriage returns": lines(b"one\r\ntwo\rthree\r\r\n\r\nlast\r"),
        "lines with a carriage return alone at the end": lines(b"one\n\r"),
        "lines with zero bytes": lines(b"a\0b\n\0\n\xff\n"),
        "lines of one file name": lines(b"a\nb\n", as_scalar=True),
        "lines of an empty file": lines(b""),
        "lines in a small buffer": lines(b"a long line\nb\n\nc", buffer=2),
        "lines of a missing file": lines(b"a\nb\n", b"c\n", names=missing),
        "lines of a folder": lines(b"a\n", names=lambda folder, files: [folder, files[0]]),
        "lines of gzip": lines(b"one\ntwo\n", b"three", compression="GZIP"),
        "lines of zlib": lines(b"one\ntwo\n", b"three", compression="ZLIB"),
        "lines of zlib in a small buffer": lines(b"one\ntwo\n" * 3, compression="ZLIB", buffer=3),
        "lines of damaged gzip": lambda tf, folder: (
            (
                raw.TextLineDataset(
                    filenames=text(tf, [write(folder, "f", b"no gzip at all\n" * 3)]),
                    compression_type=text(tf, "GZIP"),
                    buffer_size=i64(tf, 0),
                ),
            )
            + strings
        ),
        "lines of damaged zlib": lambda tf, folder: (
            (
                raw.TextLineDataset(
                    filenames=text(tf, [write(folder, "f", b"no zlib at all\n" * 3)]),
                    compression_type=text(tf, "ZLIB"),
                    buffer_size=i64(tf, 0),
                ),
            )
            + strings
        ),
        "lines of cut gzip": lambda tf, folder: (
            (
                raw.TextLineDataset(
                    filenames=text(tf, [write(folder, "f", compressed(b"line\nother\n" * 9, "GZIP")[:-12])]),
                    compression_type=text(tf, "GZIP"),
                    buffer_size=i64(tf, 0),
                ),
            )
            + strings
        ),
        "fixed": fixed(b"abcdefghi"),
        "fixed with header and footer": fixed(b"HHabcdefFFF", b"HHxyzFFF", header=2, footer=3),
        "fixed with a part of a record": fixed(b"abcdefgh", b"xyz"),
        "fixed with a short file": fixed(b"abc", b"a", b"xyz", header=1, footer=2),
        "fixed of only header and footer": fixed(b"abc", b"abcdef", header=1, footer=2),
        "fixed of a missing file": fixed(b"abc", b"def", names=missing),
        "fixed in a small buffer": fixed(b"abcdefghi", buffer=2),
        "fixed of an empty file": fixed(b"", b"abc"),
        "fixed of large header": fixed(b"abc", header=2**40),
        "fixed of large record": fixed(b"abc", record=2**62),
        "fixed of large sizes": fixed(b"abc", header=2**62, record=2**62, footer=2**62),
        "fixed v2": fixed(b"abcdefghi", compression=""),
        "fixed v2 with header and footer": fixed(b"HHabcdefFFF", b"HHxyzFFF", header=2, footer=3, compression=""),
        "fixed v2 with a part of a record": fixed(b"abcdefgh", b"xyz", compression=""),
        "fixed v2 of gzip": fixed(b"HHabcdefFFF", b"HHxyzFFF", header=2, footer=3, compression="GZIP"),
        "fixed v2 of zlib": fixed(b"HHabcdefFFF", b"HHxyzFFF", header=2, footer=3, compression="ZLIB"),
        "fixed v2 of gzip with a part of a record": fixed(b"abcdefgh", b"xyz", compression="GZIP"),
        "fixed v2 of gzip with part and footer": fixed(b"HabcdefghF", b"HxyzF", header=1, footer=1, compression="GZIP"),
        "fixed v2 of gzip with a short file": fixed(b"abc", b"a", b"xyz", header=1, footer=2, compression="GZIP"),
        "fixed v2 of gzip without header": fixed(b"a", b"xyz", header=5, footer=2, compression="GZIP"),
        "fixed v2 of gzip with an empty file": fixed(b"", b"xyz", compression="GZIP"),
        "fixed v2 of zlib in a small buffer": fixed(b"abcdefghi", compression="ZLIB", buffer=2),
        "records": tf_records([b"one", b"", b"three" * 100], [], [b"four"]),
        "records of gzip": tf_records([b"one", b"two"], [b"three"], compression="GZIP"),
        "records of zlib": tf_records([b"one", b"two"], [b"three"], compression="ZLIB"),
        "records in a buffer": tf_records([b"one", b"two"], [b"three"], buffer=4),
        "records of a missing file": tf_records([b"one"], [b"two"], names=missing),
        "records of a folder": tf_records([b"one"], names=lambda folder, files: [folder, files[0]]),
        "records cut in the header": tf_records([b"one", b"two"], [b"three"], damage=lambda whole: whole[:-14]),
        "records cut in the content": tf_records([b"one", b"two"], [b"three"], damage=lambda whole: whole[:-5]),
        "records with a damaged length": tf_records([b"one"], [b"two"], damage=lambda whole: b"x" + whole[1:]),
        "records with damaged content": tf_records(
            [b"one", b"two"], [b"3"], damage=lambda whole: whole.replace(b"one", b"One")
        ),
        "records of another compression": tf_records([b"one"], claimed="GZIP"),
        "records of another compression, zlib": tf_records([b"one"], claimed="ZLIB"),
        "records of gzip read as they are": tf_records([b"one"], compression="GZIP", claimed=""),
        "records of gzip in a small buffer": tf_records([b"one", b"two"], compression="GZIP", buffer=3),
    }
    for op in ("TextLineDataset", "FixedLengthRecordDataset", "FixedLengthRecordDatasetV2", "TFRecordDataset"):
        made[op + " with a matrix of names"] = arguments(op, filenames=fed(tf.string, [["a"]]))
        made[op + " with a static matrix of names"] = arguments(op, filenames=lambda tf: tf.constant([["a"]]))
        made[op + " with a vector of sizes"] = arguments(op, buffer_size=fed(tf.int64, [1]))
        made[op + " with a static vector of sizes"] = arguments(op, buffer_size=lambda tf: i64(tf, [1]))
        made[op + " with a negative size"] = arguments(op, buffer_size=lambda tf: i64(tf, -1))
        made[op + " without names"] = arguments(op, filenames=lambda tf: tf.constant([], tf.string))
        if op != "FixedLengthRecordDataset":
            made[op + " with an unknown compression"] = arguments(op, compression_type=lambda tf: text(tf, "BZ2"))
            made[op + " with two compressions"] = arguments(op, compression_type=fed(tf.string, ["", ""]))
        if op.startswith("Fixed"):
            for size in ("header_bytes", "record_bytes", "footer_bytes"):
                made[op + " with negative " + size] = arguments(op, **{size: lambda tf: i64(tf, -1)})
                made[op + " with vector " + size] = arguments(op, **{size: fed(tf.int64, [1])})
            made[op + " with records of zero bytes"] = arguments(op, record_bytes=lambda tf: i64(tf, 0))
    return made
