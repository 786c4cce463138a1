"""API keys. The file holds their hashes alone: a key is told once, when it is made."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from heedful.errors import InputError
from heedful.files import alone, new_file, sync


@dataclass(frozen=True)
class Key:
    """Who has it, and how fast they may ask."""

    name: str
    digest: str
    rate: int
    """Requests a minute; 0 for no limit."""


class Keys:
    """Those of a file."""

    def __init__(self, keys: list[Key]) -> None:
        self.keys = keys

    def find(self, secret: str) -> Key | None:
        """Whose it is. All are compared, each in the same time: an answer's delay tells nothing."""
        digest = digest_of(secret)
        found = None
        for key in self.keys:
            if hmac.compare_digest(key.digest, digest):
                found = key
        return found

    def add(self, name: str, rate: int) -> tuple[Keys, str]:
        """With one more -> and the key itself, which is kept nowhere."""
        if not name or any(key.name == name for key in self.keys):
            raise InputError(f"key {name!r}: a name that no other key has is wanted")
        if rate < 0:
            raise InputError(f"--rate {rate}: 0 (no limit) or more a minute is wanted")
        secret = secrets.token_urlsafe(32)
        return Keys([*self.keys, Key(name, digest_of(secret), rate)]), secret

    def without(self, name: str) -> Keys:
        """One less."""
        left = [key for key in self.keys if key.name != name]
        if len(left) == len(self.keys):
            names = ", ".join(key.name for key in self.keys) or "none"
            raise InputError(f"there is no key {name!r}; there is: {names}")
        return Keys(left)

    def write(self, path: Path) -> None:
        """In one move; nobody else may read it, at no moment."""
        content = json.dumps([asdict(key) for key in self.keys], indent=1) + "\n"
        try:
            with new_file(path) as partial:
                partial.unlink(missing_ok=True)  # of a process that was killed
                partial.touch(0o600, exist_ok=False)
                partial.write_text(content, encoding="utf-8")
                sync(partial)
        except OSError as error:
            raise InputError(f"{path} could not be written: {error}") from None


def digest_of(secret: str) -> str:
    """A key is 32 random bytes: one round of SHA-256 cannot be turned back."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


@contextmanager
def changing(path: Path) -> Iterator[None]:
    """Nobody else changes the file meanwhile: what is written holds all that was there."""
    try:
        with alone(path):
            yield
    except OSError as error:
        raise InputError(f"{path} could not be written: {error}") from None


def read_keys(path: Path, *, may_be_missing: bool = False) -> Keys:
    """Checked."""
    if may_be_missing and not path.exists():
        return Keys([])
    try:
        return Keys([_key(entry) for entry in json.loads(path.read_text("utf-8"))])
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"{path} is no file of keys, or damaged: {error}") from None


def _key(entry: dict[str, Any]) -> Key:
    kinds = {name: type(value).__name__ for name, value in entry.items()}
    if kinds != {"name": "str", "digest": "str", "rate": "int"}:
        raise ValueError(f"a key has name, digest and rate, not {kinds}")
    if not re.fullmatch("[0-9a-f]{64}", entry["digest"]) or entry["rate"] < 0:
        raise ValueError(f"key {entry['name']!r} has a digest or a rate that cannot be")
    return Key(**entry)
