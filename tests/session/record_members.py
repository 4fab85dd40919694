"""What is in a file of recorded steps, to look at and to change."""

import zipfile


def members_of(path):
    """The members of the file, by name."""
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def rewrite(path, members):
    """Makes the file one of these members, whole as a zip."""
    with zipfile.ZipFile(path, "w") as file:
        for name, data in members.items():
            file.writestr(name, data)
