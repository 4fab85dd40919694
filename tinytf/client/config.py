"""What of a `ConfigProto` the engine honours."""

from __future__ import annotations

from typing import Any


def core_options(config: Any) -> dict[str, Any]:
    """The core session's keyword arguments for a config, or for none."""
    if config is None:
        return {}
    optimizer = config.graph_options.optimizer_options
    enabled = optimizer.opt_level >= 0
    return {
        "intra_op_threads": config.intra_op_parallelism_threads,
        "fold_constants": enabled or optimizer.do_constant_folding,
        "eliminate_common_subexpressions": enabled or optimizer.do_common_subexpression_elimination,
        "max_folded_bytes": optimizer.max_folded_constant_in_bytes,
    }
