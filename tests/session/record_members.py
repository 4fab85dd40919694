"""Reads and modifies the members of a file of recorded steps."""

import zipfile


def members_of(path):
    """The members of the file, by name."""
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def rewrite(path, members):
    """Writes a valid zip file with these members."""
    with zipfile.ZipFile(path, "w") as file:
        for name, data in members.items():
            file.writestr(name, data)
