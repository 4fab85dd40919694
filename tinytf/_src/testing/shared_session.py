"""`SharedSession`: the session that all parts of one test share."""

from __future__ import annotations

from typing import Any

from tinytf._src.session.session import Session


def config_of_test(config: Any, force_gpu: bool) -> Any:
    """Returns a copy of the configuration without graph rewrites; unless a GPU is forced, with soft device
    placement."""
    from tinytf._src import protos

    result = protos.ConfigProto()
    if config is not None:
        result.CopyFrom(config)
    result.allow_soft_placement = not force_gpu
    result.graph_options.optimizer_options.opt_level = -1
    result.graph_options.rewrite_options.constant_folding = protos.RewriterConfig.OFF
    return result


class SharedSession:
    """A session that is made at its first use and used again until it is closed."""

    def __init__(self) -> None:
        self._made: tuple[Session, tuple[Any, ...]] | None = None  # with the arguments of its first use

    def get(self, graph: Any, config: Any, force_gpu: bool) -> Session:
        """Returns the session. ValueError if an argument differs from the first use."""
        asked = (graph, config, force_gpu)
        if self._made is None:
            self._made = Session(graph=graph, config=config_of_test(config, force_gpu)), asked
        sess, first = self._made
        for name, old, new in zip(("graph", "config", "force_gpu value"), first, asked):
            if old is not new and (name == "graph" or old != new):
                raise ValueError(
                    f"The {name} used to get the cached session is different than the one that was used to create the "
                    "session. Maybe create a new session with self.session()"
                )
        return sess

    def close(self) -> None:
        """Closes the session, if there is one; the next use makes a new one."""
        if self._made is not None:
            self._made[0].close()
            self._made = None
