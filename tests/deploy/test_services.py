"""The systemd units: each service has only what it needs."""

import configparser
import subprocess
from pathlib import Path

import pytest

UNITS = sorted((Path(__file__).parents[2] / "deploy" / "systemd").glob("*.service"))
GRADERS = [
    path for path in UNITS if path.stem in {"firebox-games", "firebox-live", "firebox-smoke"}
]


def service(unit: Path) -> dict[str, str]:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(unit)
    return dict(parser["Service"])


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_service_has_no_more_than_it_needs_and_is_always_started_again(unit: Path) -> None:
    settings = service(unit)
    assert settings["NoNewPrivileges"] == "true"
    assert settings["ProtectHome"] == "true"
    assert settings["ProtectSystem"] == "strict"
    assert settings["CapabilityBoundingSet"] in {"", "CAP_DAC_READ_SEARCH"}
    assert settings["UMask"] == "0077"
    assert settings.get("StateDirectoryMode", "0700") == "0700"
    assert ("StateDirectory" in settings) == ("StateDirectoryMode" in settings)
    assert settings["Restart"] == "always"
    assert "\nStartLimitIntervalSec=0\n" in unit.read_text()
    assert complaints(unit) == []


def test_systemd_ends_no_migration_that_takes_long() -> None:
    """By default it ends what a service does before its start after 90 s."""
    (web,) = (unit for unit in UNITS if unit.stem == "firebox-web")
    assert service(web).get("TimeoutStartSec") == "infinity"


def test_graders_are_confined_alike_and_see_what_docker_mounts_from() -> None:
    one, *others = (service(unit) for unit in GRADERS)
    assert one["ReadWritePaths"] == "/run"
    assert "PrivateTmp" not in one
    assert one["EnvironmentFile"] == "/etc/firebox/grader-env"
    assert len(others) == 2
    for other in others:
        assert {name for name in one.keys() | other if one.get(name) != other.get(name)} == {
            "ExecStart"
        }


def complaints(unit: Path) -> list[str]:
    run = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    lines = [line for line in run.stderr.splitlines() if unit.name in line]
    allowed = ("is not executable", "not found", "No such file")
    return [line for line in lines if not any(words in line for words in allowed)]
