"""Datasets made of raw ops, and what iterators of them yield: for programs that TensorFlow 1.15.5 runs as well."""

import collections
import importlib
import re

# The variant of a dataset with the dtypes and shapes of its components.
Raw = collections.namedtuple("Raw", "variant types shapes")
_MOST_ELEMENTS = 80
_prefetches = [False]  # whether sources stand before a stage whose elements are not there yet when they are asked for


def defun(tf, *types):
    """The decorator of TensorFlow's first functions, for arguments of these dtypes."""
    package = "tinytf" if tf.__name__.startswith("tinytf") else "tensorflow"
    return importlib.import_module(package + ".python.framework.function").Defun(*types)


def spec(raw):
    """The attrs of an op that yields the elements of `raw`."""
    return {"output_types": raw.types, "output_shapes": raw.shapes}


def int64(tf, value):
    """A constant; `value` may be a range."""
    return tf.constant(list(value) if isinstance(value, range) else value, tf.int64)


def source(tf, raw):
    """The dataset, behind a stage of threads if outcomes are to show what pending elements change."""
    return apply(tf, "PrefetchDataset", raw, buffer_size=int64(tf, 1)) if _prefetches[0] else raw


def numbers(tf, start, stop=None, step=1):
    """The dataset of a range."""
    start, stop = (0, start) if stop is None else (start, stop)
    types, shapes = [tf.int64], [tf.TensorShape([])]
    variant = tf.raw_ops.RangeDataset(
        start=int64(tf, start), stop=int64(tf, stop), step=int64(tf, step), output_types=types, output_shapes=shapes
    )
    return source(tf, Raw(variant, types, shapes))


def rows(tf, *components):
    """The dataset of the rows of the components."""
    components = [tf.convert_to_tensor(component) for component in components]
    shapes = [component.shape[1:] for component in components]
    variant = tf.raw_ops.TensorSliceDataset(components=components, output_shapes=shapes)
    return source(tf, Raw(variant, [component.dtype for component in components], shapes))


def apply(tf, op, raw, types=None, shapes=None, **more):
    """The dataset of a raw op whose first input is a dataset; its elements are alike unless told."""
    made = Raw(None, types or raw.types, shapes or raw.shapes)
    return made._replace(variant=getattr(tf.raw_ops, op)(input_dataset=raw.variant, **spec(made), **more))


def repeated(tf, raw, count=-1):
    """The dataset that repeats another one."""
    return apply(tf, "RepeatDataset", raw, count=int64(tf, count))


def taken(tf, raw, count):
    """The dataset of the first elements."""
    return apply(tf, "TakeDataset", raw, count=int64(tf, count))


def mapped(tf, raw, function, types=None, shapes=None):
    """The dataset of the results of a function."""
    return apply(tf, "MapDataset", raw, types, shapes, f=function, other_arguments=[])


def failing_at(tf, raw, *at):
    """The dataset of numbers with an InvalidArgument in place of some."""

    @defun(tf, tf.int64)
    def check(x):
        return tf.debugging.check_numerics(tf.where(tf.reduce_any(tf.equal(x, at)), float("nan"), 1.0), "bad") * 0 + (
            tf.cast(x, tf.float32)
        )

    return mapped(tf, raw, check, [tf.float32])


def of_shapes(tf, *shapes, dtype=None):
    """The dataset of tensors filled with the number of their element, from 1, of these vectors of sizes."""
    dtype = dtype or tf.int64
    sizes = rows(tf, int64(tf, [list(shape) for shape in shapes]), int64(tf, range(1, len(shapes) + 1)))

    @defun(tf, tf.int64, tf.int64)
    def fill(shape, x):
        value = tf.strings.as_string(x) if dtype == tf.string else tf.cast(x, dtype)
        return tf.fill(shape, value)

    return mapped(tf, sizes, fill, [dtype], [tf.TensorShape([None] * len(shapes[0]))])


def iterator_of(tf, raw):
    """The handle of an iterator, the op that starts it, and the components of its next element."""
    handle = tf.raw_ops.IteratorV2(shared_name="", container="", **spec(raw))
    start = tf.raw_ops.MakeIterator(dataset=raw.variant, iterator=handle)
    return handle, start, tf.raw_ops.IteratorGetNext(iterator=handle, **spec(raw))


def plain(value):
    """A fetched value as JSON holds it."""
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return plain(value.tolist()) if hasattr(value, "tolist") else value


def error_of(error):
    """The class and the first line of an error."""
    message = re.sub("{{function_node [^}]*}}", "", str(error.message).split("\n")[0])
    return [type(error).__name__, " ".join(message.split())]


def pulled(tf, sess, get, most=_MOST_ELEMENTS):
    """The elements until the end, "end", and errors in between; one pull behind the end yields the end."""
    found = []
    for _ in range(most):
        try:
            element = plain(sess.run(list(get)))
            found.append(element[0] if len(element) == 1 else element)
        except tf.errors.OpError as error:
            kind, message = error_of(error)
            is_end = kind == "OutOfRangeError" and message == "End of sequence"
            found.append("end" if is_end else [kind, message])
            if found[-2:] == ["end", "end"] or (len(found) > 3 and found[-4:] == [found[-1]] * 4):
                break
    return found


def outcome(tf, program, prefetches=False):
    """What the iterators of the program's dataset yield: the program returns the dataset; or that, a count of starts of
    the iterator, and a function that makes an op to be run after each start. If `prefetches` is true, all sources are
    behind a prefetching stage.
    """
    _prefetches[0] = prefetches
    try:
        return _outcome(tf, program)
    finally:
        _prefetches[0] = False


def _outcome(tf, program):
    with tf.Graph().as_default(), tf.Session() as sess:
        try:
            made = program()
            raw, starts, then = made if type(made) is list else [made, 1, None]
            _, start, get = iterator_of(tf, raw)
            if then:
                with tf.control_dependencies([start]):
                    start = then()
        except ValueError as error:
            return ["ValueError", str(error).split("\n")[0]]
        found = []
        for _ in range(starts):
            try:
                sess.run(start)
            except tf.errors.OpError as error:
                return error_of(error)
            found.append(pulled(tf, sess, get))
        return found if starts > 1 else found[0]


def dataset_of(program):
    """The dataset that the program makes."""
    made = program()
    return made[0] if type(made) is list else made


def moved(tf, program, *places, to=None):
    """What an iterator yields behind each of the places, which are numbers of pulls, and what one yields that was set to
    its position there. `to`: the program that makes the dataset of the latter.
    """
    with tf.Graph().as_default(), tf.Session() as sess:
        here, start_here, get_here = iterator_of(tf, dataset_of(program))
        there, start_there, get_there = iterator_of(tf, dataset_of(to or program))
        move = tf.raw_ops.DeserializeIterator(
            resource_handle=there, serialized=tf.raw_ops.SerializeIterator(resource_handle=here)
        )
        found = []
        for at in places:
            sess.run([start_here, start_there])
            pulled(tf, sess, get_here, at)
            try:
                sess.run(move)
            except tf.errors.OpError as error:
                found.append(error_of(error))
            else:
                found.append((pulled(tf, sess, get_here), pulled(tf, sess, get_there)))
        return found
