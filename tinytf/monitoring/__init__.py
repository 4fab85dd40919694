"""Sessions that are watched over: made ready, recovered, and ended; and the hooks that are called around their steps."""
