"""Programs to run and to read: `python -m tinytf.demos.digits`, `python -m tinytf.demos.characters`."""
