"""Images of a deployment: each can be given by its digest, in one place."""

import re
import subprocess
import sys
from pathlib import Path

import yaml

from deploy.dev import digests
from tests.support.every import every

DEPLOY = Path(__file__).parents[2] / "deploy"
COMPOSE = (DEPLOY / "compose.yaml").read_text()
DOCKERFILE = (DEPLOY / "Dockerfile").read_text()
HASH = "sha256:" + "a" * 64


def test_every_image_of_others_in_compose_is_named_by_a_digest_that_must_be_given() -> None:
    services = yaml.safe_load(COMPOSE)["services"].values()
    others = {service["image"] for service in services} - {"firebox-site", "firebox-grader"}
    assert {re.sub(r":\?[^}]+", "", image) for image in others} == {
        "redis@sha256:${REDIS_SHA256}",
        "postgres@sha256:${POSTGRES_SHA256}",
    }
    bases = {s["build"]["args"]["DEBIAN_IMAGE"] for s in services if "build" in s}
    assert {re.sub(r":\?[^}]+", "", base) for base in bases} == {"${DEBIAN_IMAGE}"}
    used = set(re.findall(r"\$\{(\w+(?:_IMAGE|_SHA256)):\?", COMPOSE))
    assert used == digests.USUAL.keys()


def test_images_of_ours_are_built_on_a_base_that_must_be_given() -> None:
    stages = re.findall(r"^FROM (\S+) AS (\w+)$", DOCKERFILE, flags=re.MULTILINE)
    assert [base for base, _ in stages] == ["${DEBIAN_IMAGE}", "base", "base", "base"]
    assert re.findall(r"^ARG (.+)$", DOCKERFILE, flags=re.MULTILINE) == ["DEBIAN_IMAGE"] * 2


@every(
    ("base", "is_built"),
    [
        (f"debian@{HASH}", True),
        (f"mirror.example/debian@{HASH}", True),
        ("firebox-base:bookworm", True),
        ("debian:bookworm-slim", False),
        ("debian", False),
        ("mirror.example/firebox-base:1", False),
    ],
)
def test_a_base_that_is_a_tag_is_refused(base: str, *, is_built: bool) -> None:
    (check,) = re.findall(r"^RUN (case (?:.*\\\n)+.*)$", DOCKERFILE, flags=re.MULTILINE)
    run = subprocess.run(
        ["sh", "-ec", check], env={"DEBIAN_IMAGE": base}, capture_output=True, check=False
    )
    assert (run.returncode == 0) is is_built


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
    assert all("digest" in image and "newTag" not in image for image in place["images"])


def test_a_digest_is_of_the_image_that_was_requested() -> None:
    known = {"redis:7": [f"mirror.example/redis@{HASH}", f"redis@{HASH}"], "debian:12": []}
    usual = {"REDIS_SHA256": "redis:7", "DEBIAN_IMAGE": "debian:12"}
    assert digests.lines(usual, known) == [
        f"REDIS_SHA256={'a' * 64}",
        "# DEBIAN_IMAGE: docker pull debian:12",
    ]


def test_images_that_were_never_pulled_are_reported() -> None:
    command = [sys.executable, DEPLOY / "dev" / "digests.py"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert len(run.stdout.splitlines()) == len(digests.USUAL) == 3
    assert all(setting in run.stdout for setting in digests.USUAL)
