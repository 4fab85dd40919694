"""`tf.replay`: runs a recorded step again, in a graph and session of its own, and compares it node by node."""

from __future__ import annotations

import os
from collections import defaultdict
from typing import Any

from tinytf import _core
from tinytf._src import protos
from tinytf._src.debug.record_damage import damage_if, damage_told
from tinytf._src.debug.record_reader import RecordReader
from tinytf._src.debug.repeatable_graph import make_repeatable
from tinytf._src.debug.replay_comparison import NodeFacts, first_difference, first_nan
from tinytf._src.debug.replay_report import Replay
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph_defs.importer import import_graph_def
from tinytf._src.session.feed import feed_array
from tinytf._src.session.session import Session


@tf_export("replay")
def replay(path: str | os.PathLike[str], step: int = 0, config: Any = None, infinities: bool = True) -> Replay:
    """Runs a step that `Session.record` recorded again and compares each node's outputs with the recorded ones.

    The step runs in a new graph and session, from the recorded feeds, variable values and random states; neither the
    original program nor its session is needed. The results have the same bits for any number of threads. Outputs of
    nodes that read from outside (dequeues, readers, Python functions, stored tensors) are taken from the record; nodes
    that only have effects outside (enqueues, saves) are left out. The rest of the graph is executed, so replay only
    files whose programs you would run. Steps with data races on variables may differ; so may the last bits on a CPU
    with another instruction set than the recording one (`Replay.isa`).

    Args:
      path: the file.
      step: int, index of the step in the file.
      config: a `ConfigProto` for the session, or None; graph rewriting is switched off in any case.
      infinities: whether `first_nan` looks for infinities, too.

    Returns:
      A `Replay` with `fetches` by name, `matches`, `first_difference`, `first_nan` and `error`. A step that failed is
      replayed to the same failure.

    Raises:
      DataLossError: if the file is damaged.
      IndexError: if it has no such step.
      FileNotFoundError: if it does not exist.
    """
    path = os.fspath(path)
    with RecordReader(path) as file:
        recorded = file.step(step)
        graph_def = file.graph_def(recorded.graph)
        lines = file.graph_lines[recorded.graph]
        feeds = {name: file.array(ref) for name, ref in recorded.feeds}
        kept: dict[str, list[list[Any]]] = defaultdict(list)
        for name, refs in recorded.kept:
            kept[name].append([file.array(ref) for ref in refs])
        variables = {name: None if ref is None else file.array(ref) for name, ref in recorded.variables}
    with damage_told(path):
        ops = {node.name: node.op for node in graph_def.node}
        readings = make_repeatable(graph_def, set(feeds), kept)
        feeds.update(readings.fed)
        graph = Graph()
        with graph.as_default(), damage_if(TypeError, ValueError, errors_impl.OpError):
            import_graph_def(graph_def, name="")
        with damage_if(KeyError, ValueError):
            fed = [graph.get_tensor_by_name(name) for name in feeds]
            fetched = [graph.get_tensor_by_name(name) for name in recorded.fetches]
            targets = [graph.get_operation_by_name(name) for name in recorded.targets]
        with damage_if(KeyError, TypeError, ValueError):
            fed_values = [feed_array(tensor, value) for tensor, value in zip(fed, feeds.values(), strict=True)]
    with Session(graph=graph, config=_unrewritten(config)) as session:
        with damage_told(path), damage_if(errors_impl.OpError):
            session._steps.extend()
            prepared = session._steps.prepare(fed, fetched, targets)
            for name, queue_feeds in readings.queued:
                session.run(graph.get_operation_by_name(name), queue_feeds)
            for name, state in recorded.random_states:
                prepared.set_random_state(name, state)
            for name, value in variables.items():
                if value is not None:
                    prepared.set_variable(name, value)
        digests = _core.DigestRecorder(notes_inputs=True)
        error, values = None, []
        try:
            values, _ = prepared.call_with(fed_values, digests=digests)
        except errors_impl.OpError as e:
            error = session._steps.explain(e)
        nodes = digests.take()
        after = dict(prepared.variable_digests())
    about = NodeFacts(graph, ops, lines)
    both_failed = error is not None and recorded.error is not None
    difference = first_difference(about, recorded, nodes, None if both_failed else after)
    nan = first_nan(about, nodes, infinities)
    return Replay(
        dict(zip(recorded.fetches, values)), difference, nan, error, recorded.error, _core.isa(), recorded.isa
    )


def _unrewritten(config: Any) -> Any:
    """Returns a config for a session that runs each node of the graph unmodified, so that each can be compared."""
    own = protos.ConfigProto()
    if config is not None:
        own.CopyFrom(config)
    own.graph_options.rewrite_options.disable_meta_optimizer = True
    return own
