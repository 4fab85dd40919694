"""AutoGraph: Python's control flow on tensors becomes control flow of the graph, by a rewrite of the function's source."""
