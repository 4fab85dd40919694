"""Checks of rows of datasets: elements in all ways of execution, positions, and ends of steps and sessions."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
from case_share import share
from data_table import DatasetRow, Node, node, places, plain

from tinytf import _core
from tinytf._src import protos
from tinytf._src.eager.function import function
from tinytf._src.eager.session import EagerSession
from tinytf._src.framework.context.execution import eager_mode
from tinytf._src.framework.errors import errors
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph_defs.importer import import_graph_def
from tinytf._src.framework.scopes.name_scope import control_dependencies
from tinytf._src.framework.values import dtypes
from tinytf._src.session.session import Session

Report = Callable[[str], None]

_MOST = 100  # elements that are taken of a hostile dataset
_FEW = 6
_REQUESTS = 40  # upper bound for the requests of memory that are made to fail
_NUMBERS = (-(2**63), -2, -1, 0, 2**31, 2**62, 2**63 - 1)
_NOT_BUILT = (errors.OpError, MemoryError, ValueError, TypeError)
_SOON = protos.RunOptions(timeout_in_ms=100)
_AT_ONCE = protos.RunOptions(timeout_in_ms=20)


class Pipeline:
    """The nodes of a row in a graph, with two iterators of its dataset, in a session."""

    def __init__(self, made: Node, graph: Graph, session: Session) -> None:
        self.session = session
        spec = made.spec()
        dataset = made.built()
        self.handles = [node("IteratorV2", shared_name=name, container="", **spec) for name in ("one", "two")]
        self.makes = [node("MakeIterator", dataset, self.handles[0])]
        with control_dependencies(self.makes):  # a generator of seeds that both share has its first ones for the first
            self.makes.append(node("MakeIterator", dataset, self.handles[1]))
        self.nexts = [node("IteratorGetNext", handle, **spec) for handle in self.handles]
        self.cardinality = node("DatasetCardinality", dataset)
        self.graph = graph

    def start(self, options: Any = None) -> None:
        self.session.run(self.makes, options=options)

    def next(self, of: int = 0, options: Any = None) -> Any:
        """The next element as lists, the name of an error, or None at the end."""
        return outcome(lambda: self.session.run(list(self.nexts[of]), options=options))

    def take(self, most: int, of: int = 0, options: Any = None) -> list[Any]:
        """The elements to the end, at most so many."""
        return taken(lambda: self.next(of, options), most)


def outcome(call: Callable[[], Any]) -> Any:
    try:
        return plain(list(call()))
    except errors.OutOfRangeError:
        return None
    except errors.OpError as error:
        return type(error).__name__


def taken(pull: Callable[[], Any], most: int) -> list[Any]:
    found: list[Any] = []
    while len(found) < most:
        element = pull()
        if element is None:
            break
        found.append(element)
    return found


def _most(row: DatasetRow) -> int:
    return len(row.elements) + (2 if row.ends else 0)


def check_found(row: DatasetRow, found: list[Any], begin: int = 0) -> None:
    """Whether these are the elements from number `begin` on."""
    expected = row.expected()[begin:]
    if row.ordered:
        assert found == expected, (found, expected)
    else:
        assert len(found) == len(expected), (found, expected)
        assert all(element in row.expected() for element in found), (found, expected)


@contextmanager
def pipeline_of(row: DatasetRow, threads: int = 0) -> Iterator[Pipeline]:
    config = protos.ConfigProto(inter_op_parallelism_threads=threads, intra_op_parallelism_threads=threads)
    with Graph().as_default() as graph, Session(graph=graph, config=config) as session:
        yield Pipeline(row.made, graph, session)


def check_steps(row: DatasetRow, threads: int) -> None:
    """Steps take all elements, and again after the iterator was started in the middle."""
    with pipeline_of(row, threads) as pipeline:
        assert pipeline.session.run(pipeline.cardinality) == row.cardinality
        for _ in range(2):
            pipeline.start()
            check_found(row, pipeline.take(_most(row)))
            pipeline.start()
            assert len(pipeline.take(len(row.elements) // 2)) == len(row.elements) // 2


def check_graph_def(row: DatasetRow) -> None:
    """The dataset of an imported graph has the same elements."""
    with pipeline_of(row) as pipeline:
        graph_def = pipeline.graph.as_graph_def()
        names = [pipeline.makes[0].name, [tensor.name for tensor in _list(pipeline.nexts[0])]]
    with Graph().as_default() as graph, Session(graph=graph) as session:
        import_graph_def(protos.GraphDef.FromString(graph_def.SerializeToString()), name="")
        make, following = graph.get_operation_by_name(names[0]), [graph.get_tensor_by_name(name) for name in names[1]]
        session.run(make)
        check_found(row, taken(lambda: outcome(lambda: session.run(following)), _most(row)))


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _anonymous(made: Node, dataset: Any) -> tuple[Any, Any, Any]:
    handle, deleter = node("AnonymousIteratorV2", **made.spec())
    return handle, deleter, node("MakeIterator", dataset, handle)


def check_eager(row: DatasetRow) -> None:
    """Eager operations take all elements, in each of the three ways to ask for one."""
    spec = row.made.spec()
    with eager_mode(), EagerSession():
        assert node("ExperimentalDatasetCardinality", row.made.built()).numpy() == row.cardinality
        for op in ("IteratorGetNext", "IteratorGetNextSync"):
            handle, deleter, _ = _anonymous(row.made, row.made.built())
            found = taken(
                lambda: outcome(lambda: [x.numpy() for x in _list(node(op, handle, **spec))]),  # noqa: B023
                _most(row),
            )
            check_found(row, found)
            node("DeleteIterator", handle, deleter)
        handle = node("AnonymousIterator", **spec)
        node("MakeIterator", row.made.built(), handle)
        check_found(row, taken(lambda: outcome(lambda: _of_optional(handle, spec)), _most(row)))


def _of_optional(handle: Any, spec: dict[str, Any]) -> list[Any]:
    optional = node("IteratorGetNextAsOptional", handle, **spec)
    if not node("OptionalHasValue", optional).numpy():
        raise errors.OutOfRangeError(None, None, "the end")
    return [x.numpy() for x in _list(node("OptionalGetValue", optional, **spec))]


def check_function(row: DatasetRow) -> None:
    """A `tf.function` makes the dataset and takes its first elements."""
    first = row.elements[:_FEW]
    count = len(first)
    if any(isinstance(element, type) for element in first):
        return  # an error would end the function
    spec = row.made.spec()

    def body() -> Any:
        handle, _, last = _anonymous(row.made, row.made.built())
        elements = []
        for _ in range(count):
            with control_dependencies([last]):
                elements.append(_list(node("IteratorGetNext", handle, **spec)))
            last = elements[-1][0].op
        with control_dependencies([last]):
            return elements, node("OptionalHasValue", node("IteratorGetNextAsOptional", handle, **spec))

    with eager_mode(), EagerSession():
        traced = function(body, autograph=False)
        for _ in range(2):
            elements, has_more = traced()
            found = [plain([x.numpy() for x in element]) for element in elements]
            if row.ordered:
                assert found == row.expected()[:count]
            assert bool(has_more.numpy()) == (count < len(row.elements) or not row.ends)


def check_positions(row: DatasetRow, folder: str) -> None:
    """At every element, an iterator goes on from the saved position of another one; the last time from a file."""
    with pipeline_of(row) as pipeline:
        one, two = pipeline.handles
        saved = node("SerializeIterator", one)
        restore = node("DeserializeIterator", two, saved)
        names = [np.array(os.path.join(folder, "position"), object), np.array(["it"], object), np.array([""], object)]
        save = node("SaveV2", *names, [saved])
        read = node("RestoreV2", *names, dtypes=[dtypes.variant])
        restore_file = node("DeserializeIterator", two, _list(read)[0])
        for begin in range(len(row.elements) + 1):
            pipeline.start()
            check_prefix = pipeline.take(begin)
            assert len(check_prefix) == begin
            if begin % 2 == 0:
                pipeline.session.run(restore)
            else:
                pipeline.session.run(save)
                pipeline.session.run(restore_file)
            found = pipeline.take(_most(row) - begin, of=1)
            check_found(row, found, begin)


def check_ended_steps(row: DatasetRow) -> None:
    """A step that takes an element and is cancelled at every pull leaves the rest to later steps."""
    if not row.ordered:
        return
    with pipeline_of(row) as pipeline:
        queue = node("FIFOQueueV2", component_types=[dtypes.int32])
        waiting = node("QueueDequeueV2", queue, component_types=[dtypes.int32])
        both = [list(pipeline.nexts[0]), waiting]
        expected = row.expected()
        for begin in range(len(expected) + 1):
            pipeline.start()
            assert pipeline.take(begin) == expected[:begin]
            ended = outcome(lambda: pipeline.session.run(both, options=_AT_ONCE))
            assert ended is None or isinstance(ended, str), ended
            rest = pipeline.take(_most(row) - begin)
            assert rest in (expected[begin:], expected[begin + 1 :]) or not row.ends, (rest, begin)


def check_closed_sessions(row: DatasetRow) -> None:
    """A session may be closed after every pull, whatever works in the background."""
    for begin in range(len(row.elements) + 1):
        with pipeline_of(row) as pipeline:
            pipeline.start()
            pipeline.take(begin)


def check_child(row: DatasetRow) -> None:
    """A forked child goes on where the parent is, and so does the parent."""
    begin = len(row.elements) // 2
    with pipeline_of(row) as pipeline:
        pipeline.start()
        pipeline.take(begin)
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            found = pipeline.take(_most(row) - begin)
            aborted = [element for element in found if element == "AbortedError"]
            try:
                if not aborted:  # the parent worked while it forked
                    check_found(row, found, begin)
                pipeline.start()
                check_found(row, pipeline.take(_most(row)))
            except AssertionError as error:
                os.write(2, f"{error}\n".encode())
                os._exit(1)
            os._exit(0)
        check_found(row, pipeline.take(_most(row) - begin), begin)
        assert os.waitpid(child, 0)[1] == 0


def check_without_memory(row: DatasetRow) -> int:
    """Whichever request of memory fails, elements come or an error does, and later iterators have all elements."""
    with pipeline_of(row) as pipeline:

        def run() -> None:
            pipeline.start()
            for _ in range(_most(row)):
                if pipeline.session.run(list(pipeline.nexts[0])) is None:
                    return

        pipeline.start()
        pipeline.take(_most(row))
        for number in range(_REQUESTS):
            _core.testing.fail_allocation(number)
            try:
                run()
            except (errors.OpError, MemoryError) as error:
                name = type(error).__name__
                known = {"ResourceExhaustedError", "MemoryError", "OutOfRangeError", *map(str, row.expected())}
                assert name in known, error
            finally:
                has_failed = _core.testing.allocation_has_failed()
                _core.testing.fail_allocation(-1)
            pipeline.start()
            check_found(row, pipeline.take(_most(row)))
            if not has_failed:
                break
        return number


# -- Hostile nodes -----------------------------------------------------------------------------------------------------


def _no_dataset() -> Any:
    return node("OptionalNone")


def _hostile(value: Any) -> Iterator[tuple[str, Any]]:
    """Other inputs than this one, with their texts."""
    if isinstance(value, Node):
        yield "no dataset", _Built(_no_dataset)
        yield "two datasets", _Built(lambda: node("Pack", [value.built(), value.built()]))
        return
    array = np.asarray(value)
    if array.dtype.kind in "iu":
        for number in _NUMBERS:
            limits = np.iinfo(array.dtype)
            yield f"{number}", np.full_like(array, min(max(number, int(limits.min)), int(limits.max)))
    yield "one dimension more", array[None]
    yield "two dimensions more", array[None, None]
    yield "no elements", np.zeros([0, *array.shape[1:]], array.dtype)
    if array.ndim > 0:
        yield "a scalar", array.reshape(-1)[0] if array.size else np.zeros([], array.dtype)


class _Built(Node):
    """An input that a function makes."""

    def __init__(self, make: Callable[[], Any]) -> None:
        super().__init__("NoOp")
        object.__setattr__(self, "make", make)

    def built(self) -> Any:
        return self.make()  # type: ignore[attr-defined]


def check_hostile(row: DatasetRow, starts: Report, wrong: Report) -> None:
    """Other inputs and specs than the row's: an error, or elements."""
    for text, made in share(_hostile_nodes(row), len(row.elements)):
        _check_hostile_node(made, f"{row.op}, {text}", starts, wrong)


def _hostile_nodes(row: DatasetRow) -> Iterator[tuple[str, Node]]:
    made = row.made
    for place, value in places(made):
        for text, other in _hostile(value):
            yield f"input {place}: {text}", made.with_input(place, other)
    yield "other types", replace(made, types=(dtypes.string,) * len(made.types))
    yield "more types", replace(made, types=(*made.types, dtypes.float32))
    yield "other shapes", replace(made, shapes=tuple([3, 2] for _ in made.types))
    for name, kind, *_ in _core.op_def(made.op)["attrs"]:
        for number in _NUMBERS if kind == "int" else ():
            yield f"{name}={number}", replace(made, attrs={**made.attrs, name: number})


def _check_hostile_node(made: Node, text: str, starts: Report, wrong: Report) -> None:
    for way in (_pull_in_steps, _pull_eagerly):
        starts(f"{text}, {way.__name__}")
        try:
            way(made)
        except _NOT_BUILT:
            continue
        except Exception as error:  # anything else is a finding
            wrong(f"{text}, {way.__name__}: {type(error).__name__}: {error}")


def _pull_in_steps(made: Node) -> None:
    with Graph().as_default() as graph, Session(graph=graph) as session:
        pipeline = Pipeline(made, graph, session)
        session.run(pipeline.cardinality)
        pipeline.start(_SOON)
        pipeline.take(_FEW, options=_SOON)
        session.run(node("DeserializeIterator", pipeline.handles[1], node("SerializeIterator", pipeline.handles[0])))
        pipeline.take(2, of=1, options=_SOON)


def _pull_eagerly(made: Node) -> None:
    if any(
        np.ndim(v) == 0 and np.asarray(v).dtype.kind in "iu" and abs(int(v)) > 2**30
        for _, v in places(made)
        if not isinstance(v, Node)
    ):
        return  # nothing would end an iteration without elements
    with eager_mode(), EagerSession():
        handle, _, _ = _anonymous(made, made.built())
        taken(lambda: outcome(lambda: [x.numpy() for x in _list(node("IteratorGetNext", handle, **made.spec()))]), _FEW)
