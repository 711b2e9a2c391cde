"""Every setting that the code reads is in deploy/env.example, and nothing else is."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "deploy" / "env.example"
READ = re.compile(
    r"""(?:env\.\w+|environ\.get|getenv|environ|_number)[(\[]\s*["']((?:FIREBOX_|DATABASE_)\w+)"""
)


def settings_in_code() -> set[str]:
    sources = [path for package in ("webapp", "grader", "sandbox") for path in files(package)]
    names = {name for source in sources for name in READ.findall(source.read_text())}
    assert names >= {"DATABASE_URL", "FIREBOX_BROKER_URL"}
    return names


def files(package: str) -> list[Path]:
    return list(ROOT.joinpath(package).rglob("*.py"))


def settings_in_example() -> set[str]:
    return set(re.findall(r"^#?([A-Z_]+)=", EXAMPLE.read_text(), flags=re.MULTILINE))


def test_every_setting_is_in_the_example() -> None:
    assert settings_in_code() - settings_in_example() == set()


def test_the_example_has_no_setting_that_nothing_reads() -> None:
    assert settings_in_example() - settings_in_code() == {
        "COMPOSE_PROJECT_NAME",
        "FIREBOX_FRONT_SUBNET",
    }  # compose reads them
