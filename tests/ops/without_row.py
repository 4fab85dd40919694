"""Ops without a row in the op table, with the reason. Their behaviour is tested where the reason says."""

_REASONS = {
    "the value comes from outside (tests/session)": "Placeholder PlaceholderV2 PlaceholderWithDefault Const",
    "no value, or an effect outside the graph (tests/session)": "Print PrintV2 Assert NoOp ControlTrigger",
}

WITHOUT_ROW = {op: reason for reason, ops in _REASONS.items() for op in ops.split()}
