"""First-generation functions: `Defun`, whose calls are operations with the function's name as their type."""
