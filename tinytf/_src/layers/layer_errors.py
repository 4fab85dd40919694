"""Errors of layers, as TensorFlow tells them."""

from __future__ import annotations


def of_control_flow(error: Exception) -> TypeError:
    """Returns the error for a `call` whose Python control flow depends on a tensor, which raised `error`."""
    return TypeError(
        "You are attempting to use Python control flow in a layer that was not declared to be dynamic. Pass "
        f'`dynamic=True` to the class constructor.\nEncountered error:\n"""\n{error}\n"""'
    )


def of_missing_outputs(layer: str) -> ValueError:
    """Returns the error for a `call` that returned None."""
    return ValueError(
        f"A layer's `call` method should return a Tensor or a list of Tensors, not None (layer: {layer})."
    )


def of_unbuilt_layer(layer: str) -> ValueError:
    """Returns the error of `count_params` for a layer without variables."""
    return ValueError(
        f"You tried to call `count_params` on {layer}, but the layer isn't built. You can build it manually "
        f"via: `{layer}.build(batch_input_shape)`."
    )
