"""Random programs of sessions, graphs and blocks agree with a model."""

import warnings
from concurrent.futures import ThreadPoolExecutor

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

import tinytf as tf

_CLOSED = "Attempted to use a closed Session."


class _Graph:
    """A graph with a variable, an operation that increments it, and tensors derived from it."""

    def __init__(self):
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.v = tf.get_variable("v", initializer=0, use_resource=True)
            self.add = self.v.assign_add(1)
            self.derived = [(self.v.read_value(), 0)]  # tensors, with the number each adds to the variable

    def grow(self):
        with self.graph.as_default():
            tensor, more = self.derived[-1]
            self.derived.append((tensor + len(self.derived), more + len(self.derived)))


class _Session:
    """A session, and its expected state."""

    def __init__(self, session, of):
        self.session, self.of = session, of
        self.value = None  # of the variable; None before its initializer was run
        self.closed = self.entered = False


class Sessions(RuleBasedStateMachine):
    """Each rule applies one action to the sessions and to the model; the invariants compare them."""

    def __init__(self):
        super().__init__()
        self.graphs, self.sessions = [_Graph()], []
        self.blocks = []  # open blocks: kind, context manager, model
        self.global_graph = tf.get_default_graph()

    # -- Making and ending ------------------------------------------------------------------------------------------

    @precondition(lambda self: len(self.graphs) < 3)
    @rule()
    def make_graph(self):
        self.graphs.append(_Graph())

    @precondition(lambda self: len(self.sessions) < 6)
    @rule(data=st.data(), named=st.booleans())
    def make_session(self, data, named):
        if named or self._default_graph() is None:
            of = data.draw(st.sampled_from(self.graphs))
            session = tf.Session(graph=of.graph)
        else:
            of = self._default_graph()
            session = tf.Session()
        assert session.graph is of.graph
        self.sessions.append(_Session(session, of))

    @precondition(lambda self: len(self.sessions) < 6)
    @rule(data=st.data())
    def make_interactive_session(self, data):
        of = data.draw(st.sampled_from(self.graphs))
        active = any(kind == "interactive" for kind, _, _ in self.blocks)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            made = _Session(tf.InteractiveSession(graph=of.graph), of)
        self.sessions.append(made)
        self.blocks.append(("interactive", None, made))
        assert [w.category for w in caught] == [UserWarning] * active, [str(w.message) for w in caught]

    @precondition(lambda self: self.sessions)
    @rule(data=st.data())
    def close(self, data):
        model = data.draw(st.sampled_from(self.sessions))
        opened = [i for i, (kind, _, of) in enumerate(self.blocks) if kind == "interactive" and of is model]
        if opened and opened != [len(self.blocks) - 1]:
            return  # closing out of order is tested separately
        model.session.close()
        model.closed = True
        if opened:
            self.blocks.pop()

    # -- Blocks -----------------------------------------------------------------------------------------------------

    @precondition(lambda self: self.sessions and len(self.blocks) < 6)
    @rule(data=st.data())
    def enter_as_default(self, data):
        model = data.draw(st.sampled_from(self.sessions))
        block = model.session.as_default()
        assert block.__enter__() is model.session
        self.blocks.append(("default", block, model))

    @precondition(lambda self: self.sessions and len(self.blocks) < 6)
    @rule(data=st.data())
    def enter_with(self, data):
        model = data.draw(st.sampled_from([m for m in self.sessions if isinstance(m.session, tf.Session)] or [None]))
        if model is None:
            return
        try:
            model.session.__enter__()
            assert not model.entered
        except RuntimeError as error:
            assert model.entered and str(error).startswith("Session context managers are not re-entrant.")
        else:
            model.entered = True
            self.blocks.append(("with", model.session, model))

    @precondition(lambda self: len(self.blocks) < 6)
    @rule(data=st.data())
    def enter_graph(self, data):
        of = data.draw(st.sampled_from(self.graphs))
        block = of.graph.as_default()
        assert block.__enter__() is of.graph
        self.blocks.append(("graph", block, of))

    @precondition(lambda self: self.blocks)
    @rule(failed=st.booleans())
    def leave(self, failed):
        kind, block, model = self.blocks.pop()
        if kind == "interactive":
            model.session.close()
            model.closed = True
            return
        error = ZeroDivisionError() if failed else None
        assert not block.__exit__(type(error) if failed else None, error, None)
        if kind == "with":
            model.entered, model.closed = False, True

    # -- Running ----------------------------------------------------------------------------------------------------

    @precondition(lambda self: self.sessions)
    @rule(data=st.data(), elsewhere=st.booleans(), what=st.sampled_from(["initialize", "add", "read", "all"]))
    def run(self, data, elsewhere, what):
        model = data.draw(st.sampled_from(self.sessions))
        if not elsewhere:
            self._step(model, what)
            return

        def work():
            assert tf.get_default_session() is None
            self._step(model, what)

        with ThreadPoolExecutor(1) as thread:
            thread.submit(work).result()

    @precondition(lambda self: self._default_session() is not None)
    @rule(data=st.data())
    def evaluate(self, data):
        model = self._default_session()
        of = data.draw(st.sampled_from(self.graphs))
        tensor, more = data.draw(st.sampled_from(of.derived))
        try:
            found = tensor.eval()
        except ValueError as error:
            assert of is not model.of and "the tensor's graph is different from the session's graph" in str(error)
        except RuntimeError as error:
            assert of is model.of and model.closed and str(error) == _CLOSED
        except tf.errors.FailedPreconditionError:
            assert of is model.of and not model.closed and model.value is None
        else:
            assert of is model.of and not model.closed and found == model.value + more

    @rule(data=st.data())
    def grow(self, data):
        data.draw(st.sampled_from(self.graphs)).grow()

    def _step(self, model, what):
        of = model.of
        fetches = {
            "initialize": of.v.initializer,
            "add": of.add.op,
            "read": of.derived[-1][0],
            "all": [tensor for tensor, _ in of.derived],
        }[what]
        try:
            found = model.session.run(fetches)
        except RuntimeError as error:
            assert model.closed and str(error) == _CLOSED
            return
        except (tf.errors.FailedPreconditionError, tf.errors.NotFoundError):  # when reading, when adding
            assert not model.closed and model.value is None and what != "initialize"
            return
        assert not model.closed and (model.value is not None or what == "initialize")
        if what == "initialize":
            model.value = 0
        elif what == "add":
            model.value += 1
        else:
            expected = [model.value + more for _, more in of.derived]
            assert found == (expected if what == "all" else expected[-1])

    # -- The model --------------------------------------------------------------------------------------------------

    def _default_session(self):
        """The model of the expected default session; None if there is none."""
        found = [model for kind, _, model in self.blocks if kind != "graph"]
        return found[-1] if found else None

    def _default_graph(self):
        """The model of the expected default graph; None for the global one."""
        found = [
            model if kind == "graph" else model.of
            for kind, _, model in self.blocks
            if kind in ("graph", "with", "interactive")
        ]
        return found[-1] if found else None

    @invariant()
    def defaults_are_those_of_the_innermost_blocks(self):
        model, of = self._default_session(), self._default_graph()
        assert tf.get_default_session() is (model and model.session)
        assert tf.get_default_graph() is (of.graph if of else self.global_graph)

    @invariant()
    def sessions_know_whether_they_are_closed(self):
        for model in self.sessions:
            assert model.session._engine.closed() == model.closed
            assert (" closed, " if model.closed else " open, ") in repr(model.session)

    def teardown(self):
        while self.blocks:
            self.leave(failed=False)
        assert tf.get_default_session() is None and tf.get_default_graph() is self.global_graph
        for model in self.sessions:
            model.session.close()


TestSessions = Sessions.TestCase
TestSessions.settings = settings(max_examples=60, stateful_step_count=40, derandomize=True)
