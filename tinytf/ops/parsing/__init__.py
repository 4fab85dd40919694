"""Examples, and other texts and bytes that hold values, made tensors."""
