"""Session, mode, device, graph, scope and tape belong to the Python context: of asyncio tasks, generators and
threads.
"""

import asyncio
import contextvars
import gc
import threading
import weakref

import numpy as np
import pytest

import tinytf as tf
from tinytf import _core
from tinytf._src.framework.context.execution import eager_mode

SessionClosedError = tf.eager.SessionClosedError


def together(*tasks):
    """Runs coroutine functions as tasks of one loop; each gets a function to await that yields to the other tasks."""

    async def pause():
        await asyncio.sleep(0)

    async def main():
        await asyncio.gather(*(task(pause) for task in tasks))

    asyncio.run(main())


def on_thread(function, context=None):
    """Returns the result of the function called on a new thread."""
    made = []
    run = context.run if context is not None else lambda f: f()
    thread = threading.Thread(target=lambda: made.append(run(function)))
    thread.start()
    thread.join()
    return made[0]


def test_tasks_do_not_see_each_others_session_mode_graph_and_device():
    graphs = [tf.Graph(), tf.Graph()]

    async def eager(pause):
        with tf.EagerSession() as session:
            await pause()
            for _ in range(5):
                assert tf.executing_eagerly() and tf.EagerSession.current() is session
                assert (tf.constant(1.0) + 1.0).numpy() == 2.0
                await pause()

    async def building(pause, graph):
        with graph.as_default(), graph.name_scope("a"):
            for i in range(5):
                assert not tf.executing_eagerly() and tf.get_default_graph() is graph
                assert tf.constant(1.0).graph is graph
                assert len(graph.get_operations()) == i + 1
                await pause()

    async def running(pause):
        with tf.Graph().as_default(), tf.Session() as sess:
            for _ in range(5):
                assert tf.get_default_session() is sess
                await pause()

    async def on_another_device(pause):
        config = tf.ConfigProto(device_count={"CPU": 2})
        with tf.EagerSession(config=config), tf.device("/cpu:1"):
            for _ in range(5):
                assert tf.constant(1.0).device.endswith("CPU:1")
                await pause()

    together(
        eager,
        lambda pause: building(pause, graphs[0]),
        running,
        eager,
        on_another_device,
        lambda pause: building(pause, graphs[1]),
        running,
    )
    assert not tf.executing_eagerly()
    assert tf.get_default_session() is None
    assert tf.get_default_graph() not in graphs


def test_tasks_do_not_see_each_others_scopes_tapes_and_name_scopes(eager):
    x = tf.constant(3.0)

    async def scoped(pause):
        with eager.scope() as scope:
            for i in range(5):
                kept.append(tf.constant(1.0))
                await pause()
                assert len(scope) == i + 1

    async def free(pause):
        for _ in range(5):
            y = tf.constant(2.0)
            await pause()
            await pause()
            survivors.append(y)

    async def taped(pause):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
            await pause()
            await pause()
            assert len(tape._recording_of.tape.records()) == 1
        assert tape.gradient(y, x).numpy() == 6.0

    async def named(pause):
        with tf.name_scope("mine") as name:
            assert name == "mine/"
            await pause()
            await pause()
            assert tf.Variable(1.0, name="v").name == "mine/v:0"

    async def unnamed(pause):
        await pause()
        assert not _core.any_tape()
        (x * 2.0).numpy()
        assert tf.Variable(1.0, name="v").name == "v:0"

    kept, survivors = [], []
    together(scoped, free, taped, named, unnamed)
    assert [float(y) for y in survivors] == [2.0] * 5
    for value in kept:
        with pytest.raises(SessionClosedError):
            value.numpy()


def entered(make, seen):
    """A generator that enters the context manager `make()` returns."""
    with make() as thing:
        seen.append(thing)
        yield thing


def test_generators_may_end_in_the_order_of_their_beginning():
    sessions = []
    first, second = entered(tf.EagerSession, sessions), entered(tf.EagerSession, sessions)
    next(first), next(second)
    first.close()
    assert sessions[0].closed and not sessions[1].closed
    assert tf.EagerSession.current() is sessions[1]
    assert tf.constant(1.0).numpy() == 1.0
    second.close()
    assert sessions[1].closed
    assert not tf.executing_eagerly()


def test_blocks_of_many_kinds_end_in_any_order(eager):
    graph = tf.Graph()
    blocks = {
        "session": entered(tf.EagerSession, []),
        "device": entered(lambda: tf.device("/cpu:0"), []),
        "scope": entered(eager.scope, []),
        "tape": entered(tf.GradientTape, []),
        "another session": entered(tf.EagerSession, []),
    }
    inner = None
    for name, block in blocks.items():
        thing = next(block)
        inner = thing if name == "another session" else inner
    with graph.as_default():
        for name in ("session", "scope", "tape", "device"):
            blocks[name].close()
            assert not tf.executing_eagerly()
    assert tf.EagerSession.current() is inner
    blocks["another session"].close()
    assert tf.EagerSession.current() is eager
    assert tf.constant(1.0).numpy() == 1.0


def test_a_scope_that_another_thread_ends(eager):
    """The scope owns values made in the context that entered it until it ends; later values belong to no scope."""
    one = tf.ones([2])
    context = contextvars.copy_context()
    box = [entered(eager.scope, [])]
    on_thread(lambda: next(box[0]) and None, context)
    member = on_thread(lambda: one * 4.0, context)
    box.pop().close()
    gc.collect()
    with pytest.raises(SessionClosedError):
        member.numpy()
    with eager.scope() as mine:
        free = on_thread(lambda: one * 5.0, context)
        assert len(mine) == 0
    assert free.numpy().tolist() == [5.0, 5.0]


@pytest.mark.parametrize(
    ("make", "is_left"),
    [
        (tf.EagerSession, lambda: not tf.executing_eagerly()),
        (tf.GradientTape, lambda: not _core.any_tape()),
    ],
    ids=["session", "tape"],
)
def test_what_another_thread_leaves_is_left(make, is_left):
    context = contextvars.copy_context()
    seen = []
    block = entered(make, seen)
    on_thread(lambda: next(block) and None, context)
    assert not context.run(is_left)
    block.close()
    assert context.run(is_left)
    block, gone = None, [weakref.ref(thing) for thing in seen]
    seen.clear()
    gc.collect()
    assert [reference() for reference in gone] == [None]


def test_frames_keep_a_scope_and_a_tape_alive(eager):
    """A block whose generator is collected on another thread leaves no dangling pointer in the engine."""
    one = tf.ones([2])
    context = contextvars.copy_context()
    for make in (eager.scope, tf.GradientTape):
        box = [entered(make, [])]
        on_thread(lambda box=box: next(box[0]) and None, context)
        box.clear()
        gc.collect()
        assert on_thread(lambda: (one + one).numpy().tolist(), context) == [2.0, 2.0]


def test_a_new_thread_has_nothing_of_the_one_that_starts_it(eager):
    with tf.Graph().as_default() as graph, tf.Session():
        assert on_thread(tf.executing_eagerly) is False
        assert on_thread(lambda: tf.get_default_graph() is graph) is False
        assert on_thread(tf.get_default_session) is None
        context = contextvars.copy_context()
        assert on_thread(tf.get_default_graph, context) is graph
    with eager.scope() as scope, tf.GradientTape():
        assert on_thread(lambda: (_core.any_tape(), _core.entered_sessions())) == (False, [])
        assert on_thread(lambda: len(scope)) == 0


def test_leaving_twice_or_what_was_never_entered():
    session = tf.EagerSession()
    with pytest.raises(RuntimeError, match="has not been entered"):
        session.__exit__(None, None, None)
    with session:
        pass
    with pytest.raises(RuntimeError, match="has not been entered"):
        session.__exit__(None, None, None)


def test_what_is_abandoned_is_left_by_whoever_collects_it():
    def abandoned():
        """A block that is never exited, kept in a cycle."""

        def block():
            with eager_mode():
                yield blocks

        blocks = [block()]
        next(blocks[0])

    threshold = gc.get_threshold()
    try:
        for every in (1, 2, 3, 5, 7):
            gc.set_threshold(every)
            for _ in range(100):
                frames = [_core.enter_mode(mode) for mode in (1, 2)]
                abandoned()
                frames.append(_core.enter_mode(1))
                assert not tf.executing_eagerly() and all(map(_core.has_frame, frames))
                for frame in frames:
                    _core.leave_frame(frame)
                assert not any(map(_core.has_frame, frames))
    finally:
        gc.set_threshold(*threshold)
    gc.collect()
    assert not tf.executing_eagerly() and not _core.entered_sessions()


@pytest.mark.parametrize("seed", range(20))
def test_many_contexts_with_what_others_left(seed):
    random = np.random.default_rng(seed)
    contexts, entered = [contextvars.Context() for _ in range(3)], [[], [], []]
    frames, ended = [], set()
    for _ in range(60):
        here = random.integers(len(contexts))
        action = random.random()
        if action < 0.4 or not frames:
            mode = int(random.integers(1, 3))
            entered[here].append(len(frames))
            frames.append((contexts[here].run(_core.enter_mode, mode), mode == 2))
        elif action < 0.8:
            number = int(random.integers(len(frames)))
            contexts[here].run(_core.leave_frame, frames[number][0])
            if number in entered[here]:
                entered[here].remove(number)
            else:
                ended.add(number)
        elif len(contexts) < 8:
            contexts.append(contexts[here].copy())
            entered.append(list(entered[here]))
        for i in random.permutation(len(contexts)):
            entered[i] = [number for number in entered[i] if number not in ended]
            expected = frames[entered[i][-1]][1] if entered[i] else False
            assert contexts[i].run(tf.executing_eagerly) == expected
            assert all(contexts[i].run(_core.has_frame, frames[number][0]) for number in entered[i])
