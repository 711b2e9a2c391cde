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
def test_no_service_gains_rights_or_sees_homes(unit: Path) -> None:
    settings = service(unit)
    assert settings["NoNewPrivileges"] == "true"
    assert settings["ProtectHome"] == "true"
    assert settings["ProtectSystem"] == "strict"
    assert settings["CapabilityBoundingSet"] in {"", "CAP_DAC_READ_SEARCH"}


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_services_files_are_its_own(unit: Path) -> None:
    settings = service(unit)
    assert settings["UMask"] == "0077"
    assert settings.get("StateDirectoryMode", "0700") == "0700"
    assert ("StateDirectory" in settings) == ("StateDirectoryMode" in settings)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_service_that_ended_is_always_started_again(unit: Path) -> None:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.read(unit)
    assert parser["Unit"]["StartLimitIntervalSec"] == "0"
    assert service(unit)["Restart"] == "always"


def test_systemd_ends_no_migration_that_takes_long() -> None:
    """By default it ends what a service does before its start after 90 s."""
    (web,) = (unit for unit in UNITS if unit.stem == "firebox-web")
    assert service(web).get("TimeoutStartSec") == "infinity"


@pytest.mark.parametrize("unit", GRADERS, ids=lambda unit: unit.stem)
def test_graders_see_the_directories_that_docker_mounts_from(unit: Path) -> None:
    settings = service(unit)
    assert settings["ReadWritePaths"] == "/run"
    assert "PrivateTmp" not in settings


@pytest.mark.parametrize("unit", GRADERS, ids=lambda unit: unit.stem)
def test_graders_read_settings_of_their_own(unit: Path) -> None:
    assert service(unit)["EnvironmentFile"] == "/etc/firebox/grader-env"


def test_graders_are_confined_alike() -> None:
    one, *others = (service(unit) for unit in GRADERS)
    assert len(others) == 2
    for other in others:
        assert {name for name in one if one[name] != other.get(name)} == {"ExecStart"}


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_systemd_knows_every_setting(unit: Path) -> None:
    assert complaints(unit) == []


def test_systemd_reports_a_setting_that_it_does_not_know(tmp_path: Path) -> None:
    unit = tmp_path / UNITS[0].name
    unit.write_text(UNITS[0].read_text().replace("[Service]\n", "[Service]\nNoSuchSetting=1\n"))
    (complaint,) = complaints(unit)
    assert "NoSuchSetting" in complaint


def complaints(unit: Path) -> list[str]:
    """The complaints of systemd about a unit, except that its program is not installed here."""
    run = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    lines = [line for line in run.stderr.splitlines() if unit.name in line]
    allowed = ("is not executable", "not found", "No such file")
    return [line for line in lines if not any(words in line for words in allowed)]
