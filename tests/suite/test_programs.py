"""The tests call no program that the set-up does not install."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.programs import OF_THE_SET_UP, UnprovidedProgramError, is_provided

SETUP = Path(__file__).parents[2] / "deploy" / "dev" / "setup.sh"


def test_the_list_has_the_packages_that_the_set_up_installs() -> None:
    listing = SETUP.read_text().partition("missing_packages() {")[2].partition("\n}")[0]
    installed = set(re.findall(r"echo (\S+)", listing))
    for several in re.findall(r"printf '%s\\n' (.*)", listing):
        installed |= set(several.split())
    assert installed == set(OF_THE_SET_UP)


def test_a_program_that_is_installed_nowhere_by_us_is_refused() -> None:
    for program in ("ghc", "/usr/bin/javac", "g++"):
        assert not is_provided(program)
        with pytest.raises(UnprovidedProgramError, match=r"setup\.sh would have to install it"):
            subprocess.run([program, "--version"], check=False)


def test_programs_that_are_installed_or_made_by_the_test_are_provided(tmp_path: Path) -> None:
    for program in ("git", "sh", sys.executable, str(tmp_path / "made")):
        assert is_provided(program)
