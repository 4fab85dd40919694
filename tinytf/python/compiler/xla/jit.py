"""TensorFlow's path to scopes that mark operations for compilation."""

from tinytf._src.framework.scopes.jit_scope import jit_scope as experimental_jit_scope

__all__ = ["experimental_jit_scope"]
