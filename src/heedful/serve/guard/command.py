"""`heedful keys`: who may ask a server that wants a key."""

from __future__ import annotations

from pathlib import Path

from cyclopts import App

keys_app = App(name="keys", help="Make and take back the API keys of a server.")


@keys_app.command
def add(name: str, /, *, file: Path, rate: int = 6000) -> None:
    """Make a key, and print it: it is kept nowhere else.

    Parameters
    ----------
    name
        Whose it is.
    file
        The server's file of keys; made if it is not there.
    rate
        Requests a minute; 0 for no limit.
    """
    from heedful.serve.guard.keys import changing, read_keys

    with changing(file):
        keys, secret = read_keys(file, may_be_missing=True).add(name, rate)
        keys.write(file)
    print(secret)


@keys_app.command
def remove(name: str, /, *, file: Path) -> None:
    """Take a key back.

    Parameters
    ----------
    name
        Whose it is.
    file
        The server's file of keys.
    """
    from heedful.serve.guard.keys import changing, read_keys

    with changing(file):
        read_keys(file).without(name).write(file)


@keys_app.command(name="list")
def list_keys(*, file: Path) -> None:
    """Say who has a key.

    Parameters
    ----------
    file
        The server's file of keys.
    """
    from heedful.serve.guard.keys import read_keys

    for key in read_keys(file).keys:
        print(f"{key.name}\t{key.rate or 'no limit'}")
