"""Networks of layers: what keeps variables, and runs over sequences."""
