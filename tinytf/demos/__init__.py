"""Example programs: `python -m tinytf.demos.digits`, `python -m tinytf.demos.characters`."""
