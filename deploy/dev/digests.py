#!/usr/bin/env python3
"""Prints the digests of the third-party images that this host has pulled, as lines for deploy/.env.

A tag such as redis:7-bookworm names another image after each release; a digest names one for ever.
Operators decide which digests to trust by pulling the images; none is stored here.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Final

USUAL: Final[Mapping[str, str]] = {
    "DEBIAN_IMAGE": "debian:bookworm-slim",
    "REDIS_SHA256": "redis:7-bookworm",
    "POSTGRES_SHA256": "postgres:15-bookworm",
}
"""The image of each setting, by the tag to pull. A setting is the whole name, or the hash alone."""


def digest(image: str, repo_digests: Sequence[str]) -> str | None:
    """Return the image by its digest, of those that Docker knows it by; ``None`` if it has none."""
    name = image.partition("@")[0].rpartition(":")[0]
    return next((pinned for pinned in repo_digests if pinned.partition("@")[0] == name), None)


def lines(usual: Mapping[str, str], known: Mapping[str, Sequence[str]]) -> list[str]:
    """Return a line for each setting; a comment for an image without a digest."""
    found = []
    for setting, image in usual.items():
        pinned = digest(image, known.get(image, ()))
        if pinned is not None and setting.endswith("_SHA256"):
            pinned = pinned.rpartition(":")[2]
        found.append(f"{setting}={pinned}" if pinned else f"# {setting}: docker pull {image}")
    return found


def _repo_digests(image: str) -> list[str]:
    command = ["docker", "image", "inspect", "--format", "{{json .RepoDigests}}", image]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(answer.stdout) or [] if answer.returncode == 0 else []


def main() -> int:
    """Print all lines; return 1 if an image has no digest."""
    pinned = lines(USUAL, {image: _repo_digests(image) for image in USUAL.values()})
    print("\n".join(pinned))
    return int(any(line.startswith("#") for line in pinned))


if __name__ == "__main__":
    sys.exit(main())
