"""Programs of datasets of the records of CSV files."""

from data.raw_datasets_sources import i64, outcome, text, write

__all__ = ["outcome", "programs"]


def programs(tf):
    """The programs by name."""
    raw = tf.raw_ops

    def csv(*contents, defaults, op="ExperimentalCSVDataset", compression="", cut=None, **options):
        def program(tf, folder):
            files = []
            for i, content in enumerate(contents):
                if content is None:
                    files.append(folder + "/absent")
                else:
                    files.append(write(folder, f"f{i}", content, compression))
            made = [one if isinstance(one, tf.Tensor) else one(tf) for one in defaults]
            inputs = {
                "filenames": text(tf, files),
                "compression_type": text(tf, compression),
                "buffer_size": i64(tf, 4096),
                "header": tf.constant(False),
                "field_delim": text(tf, ","),
                "use_quote_delim": tf.constant(True),
                "na_value": text(tf, ""),
                "select_cols": tf.constant([], tf.int64),
                "record_defaults": made,
                "output_shapes": [[]] * len(made),
            }
            inputs.update({name: make(tf) for name, make in options.items()})
            return getattr(raw, op)(**inputs), [one.dtype for one in made], [[]] * len(made)

        return program

    def needed(dtype):
        return lambda tf: tf.constant([], dtype)

    def default(value, dtype):
        return lambda tf: tf.constant([value], dtype)

    s, i, f = needed(tf.string), needed(tf.int32), needed(tf.float32)
    ds, di = default("none", tf.string), default(-1, tf.int32)

    def of(value):
        return lambda tf: tf.constant(value)

    def columns(*numbers):
        return lambda tf: tf.constant(numbers, tf.int64)

    return {
        "numbers": csv(b"1,2.5\n3,4\n", defaults=[i, f]),
        "final name": csv(b"1,2.5\n3,4\n", defaults=[i, f], op="CSVDataset"),
        "all types": csv(
            b"1,-9000000000,0.5,1e300,text\n2,3,inf,nan,\n",
            defaults=[i, needed(tf.int64), f, needed(tf.float64), ds],
        ),
        "spaces": csv(b" 1 , 2.5 \n", defaults=[i, f]),
        "texts with spaces": csv(b" a , b \n", defaults=[s, s]),
        "no last line end": csv(b"1,2\n3,4", defaults=[i, i]),
        "carriage returns": csv(b"1,2\r\n3,4\r5,6\r\n", defaults=[i, i]),
        "carriage return at the end": csv(b"1,2\r", defaults=[i, i]),
        "carriage return and another file": csv(b"1,2\r", b"\n3,4\r\n", defaults=[i, i]),
        "several files": csv(b"1\n2\n", b"", b"3", defaults=[i]),
        "empty line": csv(b"a\n\nb\n", defaults=[ds]),
        "empty line of a needed field": csv(b"a\n\nb\n", defaults=[s]),
        "empty line of two columns": csv(b"a,b\n\nc,d\n", defaults=[ds, ds]),
        "only an empty line": csv(b"\n", defaults=[ds]),
        "empty fields": csv(b",\n,2\n1,\n", defaults=[di, di]),
        "empty fields at the end": csv(b"1,", defaults=[di, di]),
        "empty needed field": csv(b"1,2\n,3\n4,5\n", defaults=[i, i]),
        "missing column": csv(b"1,2\n3\n4,5\n", defaults=[di, di]),
        "more columns": csv(b"1,2\n3,4,5\n6,7\n", defaults=[i, i]),
        "many more columns": csv(b"1,2,3,4,5\n6,7\n", defaults=[i, i]),
        "no number": csv(b"1,x\n2,3\n", defaults=[i, i]),
        "two wrong numbers": csv(b"y,x\n2,3\n", defaults=[i, i]),
        "too large numbers": csv(b"2147483647\n2147483648\n-2147483648\n-2147483649\n", defaults=[i]),
        "no float": csv(b"1.5\nx1\n1e400\n", defaults=[f]),
        "no double": csv(b"1.5\nx1\n1e400\n", defaults=[needed(tf.float64)]),
        "no int64": csv(b"9223372036854775807\n9223372036854775808\n", defaults=[needed(tf.int64)]),
        "quotes": csv(b'"a","b,c"\n"d\ne","f""g"\n"",""""\n', defaults=[s, ds]),
        "quoted numbers": csv(b'"1","2.5"\n', defaults=[i, f]),
        "quoted empty needed": csv(b'"",1\n', defaults=[s, i]),
        "quotes at the end": csv(b'a,"b"', defaults=[s, s]),
        "quotes and carriage returns": csv(b'"a"\r\n"b"\r"c"\r\n', defaults=[s]),
        "quotes inside": csv(b'a"b,c\nd,e\n', defaults=[s, s]),
        "quote alone inside quotes": csv(b'"a"b",c\nd,e\n', defaults=[s, s]),
        "text behind quotes": csv(b'"a"b,c\nd,e\n', defaults=[s, s]),
        "text behind quotes up to the next quote": csv(b'"a"b,c"\nd,"e"\nf,g\n', defaults=[s, s]),
        "open quote": csv(b'a,b\n"c,d\n', defaults=[s, s]),
        "open quote and another file": csv(b'a,b\n"c,d\n', b"e,f", defaults=[s, s]),
        "open quote in a field that is not read": csv(b'a,"b\n', b"c,d", defaults=[s], select_cols=columns(0)),
        "no quotes": csv(b'"a","b""c"\nd"e,f\n', defaults=[s, s], use_quote_delim=of(False)),
        "other delimiter": csv(b"1|2,3\n", defaults=[i, s], field_delim=of("|")),
        "tab as delimiter": csv(b"1\t2\n", defaults=[i, i], field_delim=of("\t")),
        "line end as delimiter": csv(b"1\n2\n3", defaults=[i, i], field_delim=of("\n")),
        "quote as delimiter": csv(b'1"2\n', defaults=[i, i], field_delim=of('"')),
        "long delimiter": csv(b"1,2\n", defaults=[i, i], field_delim=of(",,")),
        "no delimiter": csv(b"1,2\n", defaults=[i, i], field_delim=of("")),
        "na": csv(b"NA,1\n2,NA\n", defaults=[di, di], na_value=of("NA")),
        "na of a needed field": csv(b"NA,1\n2,3\n", defaults=[i, i], na_value=of("NA")),
        "quoted na": csv(b'"NA",1\n', defaults=[di, i], na_value=of("NA")),
        "na of texts": csv(b"NA,\n", defaults=[ds, ds], na_value=of("NA")),
        "header": csv(b"a,b\n1,2\n", b"c,d\n3,4\n", defaults=[i, i], header=of(True)),
        "header only": csv(b"a,b\n", b"c,d\n3,4\n", defaults=[i, i], header=of(True)),
        "header without a line end": csv(b"a,b", b"c,d\n3,4\n", defaults=[i, i], header=of(True)),
        "header of an empty file": csv(b"", b"c,d\n3,4\n", defaults=[i, i], header=of(True)),
        "header with a quoted line end": csv(b'"a\nb",c\n1,2\n', defaults=[i, i], header=of(True)),
        "header with carriage returns": csv(b"a,b\r\n1,2\r\n", defaults=[i, i], header=of(True)),
        "header with a carriage return alone": csv(b"a,b\r1,2\r3,4", defaults=[i, i], header=of(True)),
        "header with wrong quotes": csv(b'a"x,b\n1,2\n', defaults=[i, i], header=of(True)),
        "header with an open quote": csv(b'"a,b\n1,2\n', defaults=[i, i], header=of(True)),
        "columns": csv(b"1,x,2\n3,y,4\n", defaults=[i, i], select_cols=columns(0, 2)),
        "columns with few fields": csv(b"1,x\n3,y,4\n", defaults=[i, i], select_cols=columns(0, 2)),
        "columns with wrong fields beside": csv(b'1,x"y,2\n3,y,4\n', defaults=[i, i], select_cols=columns(0, 2)),
        "columns with wrong fields behind": csv(b'1,2,x"y\n3,4,z\n', defaults=[i, i], select_cols=columns(0, 1)),
        "columns out of order": csv(b"1,2\n", defaults=[i, i], select_cols=columns(1, 0)),
        "columns twice": csv(b"1,2\n", defaults=[i, i], select_cols=columns(1, 1)),
        "negative columns": csv(b"1,2\n", defaults=[i, i], select_cols=columns(-1, 1)),
        "other number of columns": csv(b"1,2\n", defaults=[i, i], select_cols=columns(1)),
        "scalar columns": csv(b"1,2\n", defaults=[i], select_cols=lambda tf: i64(tf, 0)),
        "fed scalar columns": csv(
            b"1,2\n", defaults=[i], select_cols=lambda tf: tf.placeholder_with_default(i64(tf, 0), None)
        ),
        "gzip": csv(b"1,2\n3,4\n", b"5,6", defaults=[i, i], compression="GZIP"),
        "zlib": csv(b"1,2\n3,4\n", b"5,6", defaults=[i, i], compression="ZLIB"),
        "other compression": csv(b"1,2\n", defaults=[i, i], compression_type=of("BZ2")),
        "no gzip": csv(b"1,2\n", defaults=[i, i], compression_type=of("GZIP")),
        "absent file": csv(b"1,2\n", None, b"3,4", defaults=[i, i]),
        "small buffer": csv(b'1,"a\nb"\r\n2,cc\r\n', defaults=[i, s], buffer_size=lambda tf: i64(tf, 1)),
        "buffer of 3": csv(b'1,"a\nb"\r\n2,cc\r\n', defaults=[i, s], buffer_size=lambda tf: i64(tf, 3)),
        "no buffer": csv(b"1,2\n", defaults=[i, i], buffer_size=lambda tf: i64(tf, 0)),
        "negative buffer": csv(b"1,2\n", defaults=[i, i], buffer_size=lambda tf: i64(tf, -1)),
        "two defaults": csv(b"1,2\n", defaults=[lambda tf: tf.constant([1, 2]), i]),
        "scalar default": csv(b",2\n", defaults=[lambda tf: tf.constant(7), i]),
        "matrix default": csv(b",2\n", defaults=[lambda tf: tf.constant([[7]]), i]),
        "two defaults, fed": csv(b"1,2\n", defaults=[lambda tf: tf.placeholder_with_default([1, 2], None), i]),
        "matrix default, fed": csv(b",2\n", defaults=[lambda tf: tf.placeholder_with_default([[7]], None), i]),
        "matrix of names": csv(b"1,2\n", defaults=[i, i], filenames=of([["a"]])),
        "fed matrix of names": csv(
            b"1,2\n", defaults=[i, i], filenames=lambda tf: tf.placeholder_with_default([["a"]], None)
        ),
        "fed vector header": csv(
            b"1,2\n", defaults=[i, i], header=lambda tf: tf.placeholder_with_default([True], None)
        ),
        "vector header": csv(b"1,2\n", defaults=[i, i], header=of([True])),
        "vector delimiter": csv(
            b"1,2\n", defaults=[i, i], field_delim=lambda tf: tf.placeholder_with_default([","], None)
        ),
        "zero bytes": csv(b"a\0b,\0\n", defaults=[s, s]),
    }
