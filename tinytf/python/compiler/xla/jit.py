"""TensorFlow's path to scopes whose operations are marked to be compiled."""

from tinytf.framework.jit_scope import jit_scope as experimental_jit_scope

__all__ = ["experimental_jit_scope"]
