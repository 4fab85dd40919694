"""Functions of the first generation: `Defun`, whose calls are operations that have the function's name as their type."""
