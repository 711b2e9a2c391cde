"""Signed reports: they tell the site which grader sent them; it believes the graders it admitted.

Each grading machine has one Ed25519 key (RFC 8032), in a file that all its workers read. The
signature covers the task's name and the text, so that no report passes for one of another kind.
"""

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from grader.core.errors import RecordError
from grader.core.records import FORMAT, from_json


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedReport:
    """A report's JSON text, with the grader's public key and its signature."""

    v: int = FORMAT
    key: str
    """The public key: 64 hexadecimal digits."""
    signature: str
    """128 hexadecimal digits."""
    text: str


class Signer:
    """Signs reports with this machine's key."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public_key = key.public_key().public_bytes_raw().hex()

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """Read the key; generate it if the file does not exist. Raises OSError, ValueError.

        Workers that start at the same moment get the same key.
        """
        if not path.exists():
            _generate(path)
        raw = bytes.fromhex(path.read_text(encoding="ascii").strip())
        return cls(Ed25519PrivateKey.from_private_bytes(raw))

    def sign(self, task: str, text: str) -> SignedReport:
        """Sign a report's JSON text for the task that will receive it."""
        signature = self._key.sign(_signed_bytes(task, text))
        return SignedReport(key=self.public_key, signature=signature.hex(), text=text)


def open_report(signed_json: str, task: str) -> SignedReport:
    """Read a signed report and check its signature. Raises RecordError."""
    report = from_json(signed_json, SignedReport)
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(report.key))
        key.verify(bytes.fromhex(report.signature), _signed_bytes(task, report.text))
    except (ValueError, InvalidSignature) as error:
        raise RecordError("a report whose signature is wrong") from error
    if key.public_bytes_raw().hex() != report.key:
        raise RecordError("a report whose key is not in lower-case hexadecimal digits")
    return report


def fingerprint(public_key: str) -> str:
    """Return the first 24 digits of a key in groups of four, for people to compare."""
    return " ".join(public_key[start : start + 4] for start in range(0, 24, 4))


def key_path() -> Path:
    """Return the path of this machine's key: FIREBOX_GRADER_KEY, or ``var/grader.key``."""
    return Path(os.environ.get("FIREBOX_GRADER_KEY", "var/grader.key"))


def _generate(path: Path) -> None:
    """Write a new key atomically, unless another process has written one meanwhile."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = Ed25519PrivateKey.generate().private_bytes_raw()
    with tempfile.NamedTemporaryFile("w", dir=path.parent, encoding="ascii") as file:
        file.write(key.hex() + "\n")
        file.flush()
        os.fsync(file.fileno())
        try:
            os.link(file.name, path)  # fails where a rename would replace the other key
        except FileExistsError:
            return


def _signed_bytes(task: str, text: str) -> bytes:
    return f"firebox {FORMAT} {task}\n{text}".encode(errors="surrogatepass")


def main() -> None:
    """Print this machine's public key; generate the key if there is none."""
    print(Signer.from_file(key_path()).public_key)


if __name__ == "__main__":
    main()
