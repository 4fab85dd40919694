"""The implementation. Programs use the names of `tinytf` itself."""
