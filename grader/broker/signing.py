"""Signed reports: the site knows which grader says something, and believes those it has admitted.

Each grading machine has an Ed25519 key (RFC 8032) in a file of its own; all its workers sign with
it. The task's name is signed with the text, so that no report can be passed off as another kind.
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

__all__ = ["SignedReport", "Signer", "fingerprint", "key_path", "open_report"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedReport:
    """What a grader sends: a report's JSON text, and who says so."""

    v: int = FORMAT
    key: str
    """The public key: 64 hexadecimal digits."""
    signature: str
    """128 hexadecimal digits."""
    text: str


class Signer:
    """Holds the key of this machine."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public_key = key.public_key().public_bytes_raw().hex()

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """Read the key; make it first if there is none. Raises OSError, ValueError.

        Of several workers that make one at the same moment, all get the same.
        """
        if not path.exists():
            _make(path)
        raw = bytes.fromhex(path.read_text(encoding="ascii").strip())
        return cls(Ed25519PrivateKey.from_private_bytes(raw))

    def sign(self, task: str, text: str) -> SignedReport:
        """Sign a report for the task that takes it."""
        signature = self._key.sign(_signed(task, text))
        return SignedReport(key=self.public_key, signature=signature.hex(), text=text)


def open_report(signed_json: str, task: str) -> SignedReport:
    """Read a signed report and check its signature. Raises RecordError."""
    report = from_json(signed_json, SignedReport)
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(report.key))
        key.verify(bytes.fromhex(report.signature), _signed(task, report.text))
    except (ValueError, InvalidSignature) as error:
        raise RecordError("a report whose signature is wrong") from error
    if key.public_bytes_raw().hex() != report.key:
        raise RecordError("a report whose key is not written in small hexadecimal digits")
    return report


def fingerprint(public_key: str) -> str:
    """Return the beginning of a key, in groups that people can compare."""
    return " ".join(public_key[start : start + 4] for start in range(0, 24, 4))


def key_path() -> Path:
    """Return the file of this machine's key, as the settings say."""
    return Path(os.environ.get("FIREBOX_GRADER_KEY", "var/grader.key"))


def _make(path: Path) -> None:
    """Write a new key, whole or not at all, unless somebody else has done so by now."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = Ed25519PrivateKey.generate().private_bytes_raw()
    with tempfile.NamedTemporaryFile("w", dir=path.parent, encoding="ascii") as file:
        file.write(key.hex() + "\n")
        file.flush()
        os.fsync(file.fileno())
        try:
            os.link(file.name, path)
        except FileExistsError:
            return


def _signed(task: str, text: str) -> bytes:
    return f"firebox {FORMAT} {task}\n{text}".encode(errors="surrogatepass")


def main() -> None:
    """Print this machine's public key, and make the key if there is none."""
    print(Signer.from_file(key_path()).public_key)


if __name__ == "__main__":
    main()
