"""AutoGraph: rewrites the source of Python functions so that control flow that depends on tensors becomes graph control
flow."""
