"""Reachability in a deployment with compose, and the parts of the host that a grader sees."""

import re
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
import yaml

DEPLOY = Path(__file__).parents[2] / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
GRADERS = ["smoke", "live", "games"]
MAY_MOUNT = {"/run/docker.sock", "/run/firebox"}
KEYS = "/var/lib/firebox-grader"
"""The directory of a machine's key, which all its workers sign with."""


def test_debian_12s_compose_knows_every_part_of_the_file() -> None:
    """Its docker-compose 1.29 knows no ``name``. Volumes keep theirs, whatever the project's is."""
    parts = {part for part in COMPOSE if not part.startswith("x-")}
    assert parts == {"services", "networks", "volumes"}
    assert COMPOSE["volumes"] == {name: {"name": f"firebox_{name}"} for name in COMPOSE["volumes"]}


@pytest.mark.parametrize("service", ["postgres", "redis"])
def test_no_other_project_starts_a_service_twice_on_its_data(service: str) -> None:
    """Docker refuses a second container of the name, and the example names the project."""
    assert SERVICES[service]["container_name"] == f"firebox-{service}-1"
    assert "\nCOMPOSE_PROJECT_NAME=firebox\n" in (DEPLOY / "env.example").read_text()


def networks(service: str) -> set[str]:
    return set(SERVICES[service].get("networks", ["default"]))


@pytest.mark.parametrize("grader", GRADERS)
def test_a_grader_reaches_redis_alone_with_its_own_login_and_mounts_only_what_it_may(
    grader: str,
) -> None:
    assert networks(grader) == {"queue"}
    assert "env_file" not in SERVICES[grader]
    settings = SERVICES[grader]["environment"]
    assert settings["FIREBOX_BROKER_URL"].startswith("redis://grader:${REDIS_GRADER_PASSWORD")
    assert not {"DATABASE_URL", "FIREBOX_SECRET_KEY"} & settings.keys()
    for name in ("OPEN_SANDBOXES", "OPEN_SANDBOX_SECONDS", "SPARE_SANDBOXES"):
        assert settings[f"FIREBOX_{name}"] == f"${{FIREBOX_{name}:-}}"
    mounted = {volume.split(":")[0] for volume in SERVICES[grader]["volumes"]}
    assert {path for path in mounted if path.startswith("/")} == MAY_MOUNT


def test_the_networks_of_redis_reach_nothing_else() -> None:
    assert networks("redis") == {"queue", "broker"}
    assert COMPOSE["networks"]["queue"]["internal"]
    assert COMPOSE["networks"]["broker"]["internal"]
    assert {name for name in SERVICES if "queue" in networks(name)} == {*GRADERS, "redis"}


def test_the_site_trusts_forwarded_addresses_of_its_hosts_proxy_alone() -> None:
    """What comes by the published port has the address of the network's gateway."""
    trusted = default(SERVICES["web"]["environment"]["FIREBOX_PROXY_NETWORKS"])
    front = ip_network(default(COMPOSE["networks"]["front"]["ipam"]["config"][0]["subnet"]))
    assert ip_network(trusted) == ip_network(next(front.hosts()))
    assert networks("web") & networks("redis") == {"broker"}


def default(value: str) -> str:
    return re.sub(r"^\$\{\w+:-(.*)\}$", r"\1", value)


def test_the_database_is_reached_by_the_site_alone() -> None:
    assert COMPOSE["networks"]["database"]["internal"]
    reach = {name for name in SERVICES if networks(name) & networks("postgres")}
    assert reach == {"postgres", "migrate", "web", "results", "background"}


def test_workers_of_a_machine_share_a_key_that_survives_them() -> None:
    for grader in GRADERS:
        assert SERVICES[grader]["environment"]["FIREBOX_GRADER_KEY"] == f"{KEYS}/key"
        assert f"grader:{KEYS}" in SERVICES[grader]["volumes"]
    for unit in ("games", "smoke", "live"):
        text = (DEPLOY / "systemd" / f"firebox-{unit}.service").read_text()
        assert f"Environment=FIREBOX_GRADER_KEY={KEYS}/key\n" in text
        assert "StateDirectory=firebox-grader\n" in text
