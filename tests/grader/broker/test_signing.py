"""Signed reports: only what a key's holder signed for this task can be opened."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from grader.broker.signing import SignedReport, Signer, open_report
from grader.core.errors import RecordError
from grader.core.records import to_json
from tests.support.every import every
from tests.support.graders import a_signer

TASK = "webapp.record_batch"


def report() -> SignedReport:
    return a_signer().sign(TASK, '{"text": "ä"}')


def test_a_signed_report_can_be_opened_for_its_task() -> None:
    opened = open_report(to_json(report()), TASK)
    assert opened.text == '{"text": "ä"}'
    assert opened.key == a_signer().public_key
    with pytest.raises(RecordError, match="signature"):
        open_report(to_json(report()), "webapp.record_audit")


@every(
    "changes",
    [
        {"text": '{"text": "a"}'},
        {"key": a_signer(2).public_key},
        {"key": a_signer().public_key.upper()},
        {"key": "no key"},
        {"key": ""},
        {"signature": "00" * 64},
        {"signature": ""},
        {"signature": "no signature"},
        {"v": 2},
    ],
)
def test_a_changed_report_cannot_be_opened(changes: dict[str, str]) -> None:
    with pytest.raises(RecordError):
        open_report(to_json(replace(report(), **changes)), TASK)


@every("text", ["", "nonsense", "{}", "[]", "[" * 100_000])
def test_nonsense_cannot_be_opened(text: str) -> None:
    with pytest.raises(RecordError):
        open_report(text, TASK)


def test_a_machine_keeps_its_key(tmp_path: Path) -> None:
    path = tmp_path / "new" / "grader.key"
    first = Signer.from_file(path)
    assert Signer.from_file(path).public_key == first.public_key
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["grader.key"]


def test_workers_that_start_together_share_a_key(tmp_path: Path) -> None:
    path = tmp_path / "grader.key"
    with ThreadPoolExecutor(8) as pool:
        keys = {signer.public_key for signer in pool.map(Signer.from_file, [path] * 32)}
    assert len(keys) == 1


def test_a_damaged_key_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "grader.key"
    path.write_text("00")
    with pytest.raises(ValueError, match="32"):
        Signer.from_file(path)
