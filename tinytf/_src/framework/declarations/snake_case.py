"""Conversion of op names to function names."""


def snake_case(name: str) -> str:
    """TensorFlow's function name for an op: "MatMul" → "mat_mul", "TopKV2" → "top_kv2"."""
    text = ""
    for i, c in enumerate(name):
        if c.isupper() and i > 0 and (name[i - 1].islower() or (i + 1 < len(name) and name[i + 1].islower())):
            text += "_"
        text += c.lower()
    return text
