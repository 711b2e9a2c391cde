"""The lock files: complete, with hashes, and without the address of any index."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements.lock", "deploy/web.lock", "deploy/grader.lock")


def locked(lock: str) -> dict[str, str]:
    blocks = re.split(r"\n(?=\w)", (ROOT / lock).read_text())
    packages = {block.partition("==")[0]: block for block in blocks if "==" in block}
    assert packages, f"{lock} locks nothing"
    return packages


def versions(lock: str) -> set[str]:
    found = set(re.findall(r"^\S+==\S+", (ROOT / lock).read_text(), flags=re.MULTILINE))
    assert found, f"{lock} locks nothing"
    return found


def required(*extras: str, site: bool = False) -> set[str]:
    """Return the names of what graders, or the site, ask for with these extras; with none, all."""
    project = project_of("pyproject.toml")
    optional = project["optional-dependencies"]
    lists = [project["dependencies"], *(optional[extra] for extra in extras or optional)]
    if site:
        lists.append(project_of("deploy/site/pyproject.toml")["dependencies"])
    words = [re.match(r"[\w.-]+", requirement) for each in lists for requirement in each]
    names = {re.sub(r"[-_.]+", "-", word[0]).lower() for word in words if word}
    assert names >= {"msgspec", "docker"}
    return names - {"firebox"}


def project_of(file: str) -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((ROOT / file).read_text())["project"]
    return project


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_package_has_hashes(lock: str) -> None:
    assert [name for name, lines in locked(lock).items() if "--hash=sha256:" not in lines] == []


def test_the_locks_hold_what_the_project_and_its_distributions_require() -> None:
    assert required(site=True) - locked("requirements.lock").keys() == set()
    assert required("worker", "s3", site=True) - locked("deploy/web.lock").keys() == set()
    assert required("worker", "s3") - locked("deploy/grader.lock").keys() == set()


def test_a_grader_holds_neither_the_site_nor_a_database() -> None:
    assert {"django", "psycopg", "waitress"} & locked("deploy/grader.lock").keys() == set()


def test_the_images_hold_the_versions_that_were_tested() -> None:
    assert versions("deploy/web.lock") - versions("requirements.lock") == set()
    assert versions("deploy/grader.lock") - versions("requirements.lock") == set()
