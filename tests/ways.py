"""Which plans of sessions and functions leave the compiled way."""

import contextlib

from tinytf import _core


@contextlib.contextmanager
def reasons_for_tokens():
    """A list of what stands against code in plans that are made in this context, by any session and any function of this
    process: why their branches and loops are run by tokens."""
    reasons, prepare = [], _core.prepare

    def prepare_and_ask(*args, **kwargs):
        prepared = prepare(*args, **kwargs)
        reasons.extend(filter(None, [prepared.describe()["why_tokens"]]))
        return prepared

    _core.prepare = prepare_and_ask
    try:
        yield reasons
    finally:
        _core.prepare = prepare
