"""Images of a deployment: each can be given by its digest, in one place."""

import re
import subprocess
import sys
from pathlib import Path

import yaml

from deploy.dev import digests

DEPLOY = Path(__file__).parents[2] / "deploy"
COMPOSE = (DEPLOY / "compose.yaml").read_text()
HASH = "sha256:" + "a" * 64


def test_every_image_of_others_in_compose_is_a_setting() -> None:
    services = yaml.safe_load(COMPOSE)["services"].values()
    ours = {"firebox-site", "firebox-grader"}
    others = {service["image"] for service in services} - ours
    assert {re.sub(r"^\$\{(\w+):-.*\}$", r"\1", image) for image in others} == {
        "REDIS_IMAGE",
        "POSTGRES_IMAGE",
    }
    assert {service["build"]["args"]["DEBIAN_IMAGE"] for service in services if "build" in service}


def test_images_of_ours_are_built_on_the_images_of_those_settings() -> None:
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    stages = re.findall(r"^FROM (\S+) AS (\w+)$", dockerfile, flags=re.MULTILINE)
    assert [base for base, _ in stages] == ["${DEBIAN_IMAGE}", "base", "base", "base"]
    assert dict([re.findall(r"^ARG (\w+)=(\S+)$", dockerfile, flags=re.MULTILINE)[0]]) == {
        "DEBIAN_IMAGE": digests.images(COMPOSE)["DEBIAN_IMAGE"]
    }


def test_every_image_on_kubernetes_is_named_in_one_place() -> None:
    directory = DEPLOY / "kubernetes"
    place = yaml.safe_load((directory / "kustomization.yaml").read_text())
    optional = {"keda.yaml"}  # names no image
    files = {path.name for path in directory.glob("*.yaml")} - {"kustomization.yaml"} - optional
    assert set(place["resources"]) == files
    used = {
        image
        for name in files
        for image in re.findall(r"image: (?:&\w+ )?(\w\S+):", (directory / name).read_text())
    }
    assert {image["name"] for image in place["images"]} == used


def test_a_digest_is_of_the_image_that_was_requested() -> None:
    known = {"redis:7": [f"mirror.example/redis@{HASH}", f"redis@{HASH}"], "debian:12": []}
    assert digests.lines({"REDIS_IMAGE": "redis:7", "DEBIAN_IMAGE": "debian:12"}, known) == [
        f"REDIS_IMAGE=redis@{HASH}",
        "# DEBIAN_IMAGE: docker pull debian:12",
    ]


def test_images_that_were_never_pulled_are_reported() -> None:
    command = [sys.executable, DEPLOY / "dev" / "digests.py"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    settings = digests.images(COMPOSE)
    assert len(run.stdout.splitlines()) == len(settings) == 3
    assert all(setting in run.stdout for setting in settings)
