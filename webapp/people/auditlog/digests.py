"""Digests of acts, as the chain covers them. Pure: rows in, hexadecimal out."""

import hashlib
import json
import secrets
from datetime import UTC
from typing import Any


def new_salt() -> str:
    """Return 128 random bits, in hexadecimal."""
    return secrets.token_hex(16)


def words_digest_of(row: Any) -> str:
    """Return the digest of an act's salt and words, which may be erased."""
    return _sha256([row.salt, *_words(row)])


def digest_of(row: Any, before: str) -> str:
    """Return the digest that follows ``before`` when this act is linked to it."""
    return _sha256([2, before, *_facts(row), row.words_digest, row.erases])


def earlier_digest_of(row: Any, before: str) -> str:
    """Return the digest by the first version of the chain, which covered the texts themselves."""
    return _sha256([before, *_facts(row), *_words(row)])


def first_digest(last_earlier: str) -> str:
    """Return the digest that the chain begins with: it binds the last of the first version."""
    return _sha256([2, last_earlier])


def _facts(row: Any) -> list[object]:
    at = row.at.astimezone(UTC).isoformat(timespec="microseconds")
    return [row.pk, at, row.kind, row.by_id, row.course_id, row.person_id, row.team_id]


def _words(row: Any) -> list[object]:
    return [row.thing, row.before, row.after, row.reason]


def _sha256(values: list[object]) -> str:
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
