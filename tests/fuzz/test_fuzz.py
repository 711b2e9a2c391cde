"""Every parser that reads bytes from outside, against the kept corpus and against a fuzzer.

The corpus holds seeds and every input that once led to a fault: they are what ``make test`` guards.
Its search is short; ``make test-deep`` searches for a minute, and ``FIREBOX_FUZZ_SECONDS=600 pytest
tests/fuzz`` for as long as it says.
"""

import importlib
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support.depth import deeper

HARNESSES: Final = ("wire", "lines", "control", "build", "archive")
CORPUS: Final = Path(__file__).parent / "corpus"
WORDS: Final = Path(__file__).parent / "words.txt"
"""What a fuzzer would not guess: the words of the formats."""
ROOT: Final = Path(__file__).resolve().parents[2]
SECONDS: Final = int(os.environ.get("FIREBOX_FUZZ_SECONDS", deeper(0, deep=60)))
"""Duration of the search; 0: as many inputs as the corpus has, and some hundreds more."""
_NEW_INPUTS: Final = 300
_MAX_CORPUS_BYTES: Final = 200_000
_ONE_INPUT_SECONDS: Final = 60
"""Wall time that one input may take, on however busy a host: a hang is a finding too."""
_MEMORY_MIB: Final = 1024
_STARTUP_SECONDS: Final = 300


def hexdump(data: bytes) -> str:
    rows = [data[at : at + 16] for at in range(0, len(data), 16)]
    return "\n".join(
        f"{16 * number:06x}  {row.hex(' '):<47}  "
        + "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        for number, row in enumerate(rows)
    )


@pytest.mark.parametrize("name", HARNESSES)
def test_no_kept_input_leads_to_a_fault(name: str) -> None:
    harness = importlib.import_module(f"tests.fuzz.{name}")
    kept = sorted((CORPUS / name).iterdir())
    assert kept
    for path in kept:
        data = path.read_bytes()
        try:
            harness.one(data)
        except Exception as error:
            raise AssertionError(f"{path.name}: {error!r}\n{hexdump(data)}") from error


def test_the_kept_corpus_is_small_and_holds_no_input_twice() -> None:
    kept = [path for path in CORPUS.rglob("*") if path.is_file()]
    contents = [(path.parent, path.read_bytes()) for path in kept]
    assert sum(len(data) for _, data in contents) < _MAX_CORPUS_BYTES
    assert len(set(contents)) == len(contents)


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("atheris") is None, reason="atheris is not made for this system"
)
@pytest.mark.parametrize("name", HARNESSES)
def test_a_fuzzer_finds_no_fault(name: str, tmp_path: Path) -> None:
    found, faults = tmp_path / "found", tmp_path / "faults"
    found.mkdir()
    faults.mkdir()
    runs = -1 if SECONDS else len(list((CORPUS / name).iterdir())) + _NEW_INPUTS
    fuzzer = subprocess.run(
        [
            sys.executable, "-m", "tests.fuzz", name,
            f"-max_total_time={SECONDS}", f"-runs={runs}", f"-timeout={_ONE_INPUT_SECONDS}",
            f"-rss_limit_mb={_MEMORY_MIB}", "-verbosity=0", "-print_final_stats=1",
            f"-dict={WORDS}", f"-artifact_prefix={faults}/", str(found), str(CORPUS / name),
        ],
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'grader/interfaces/python'}"},
        capture_output=True,
        text=True,
        errors="backslashreplace",
        timeout=SECONDS + _ONE_INPUT_SECONDS + _STARTUP_SECONDS,
    )  # fmt: skip
    inputs = [f"{path.name}\n{hexdump(path.read_bytes())}" for path in sorted(faults.iterdir())]
    assert inputs == [], "\n".join([*inputs, fuzzer.stderr[-6000:]])
    assert fuzzer.returncode == 0, fuzzer.stderr[-6000:]
    executed = re.search(r"number_of_executed_units: (\d+)", fuzzer.stderr)
    assert executed is not None, fuzzer.stderr[-6000:]
    assert int(executed[1]) > len(list((CORPUS / name).iterdir())), "nothing new was tried"
