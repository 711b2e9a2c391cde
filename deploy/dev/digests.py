#!/usr/bin/env python3
"""Prints the digests of the third-party images that this host has pulled, as lines for deploy/.env.

A tag such as redis:7-bookworm names another image after each release; a digest names one for ever.
Operators decide which digests to trust by pulling the images; none is stored here.
"""

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

COMPOSE: Final = Path(__file__).parents[1] / "compose.yaml"
_IMAGE: Final = re.compile(r"\$\{(\w+_IMAGE):-([^}]+)\}")


def images(compose: str) -> dict[str, str]:
    """Return the usual image of each setting that a compose file takes an image from."""
    return dict(_IMAGE.findall(compose))


def digest(image: str, repo_digests: Sequence[str]) -> str | None:
    """Return the image by its digest, of those that Docker knows it by; ``None`` if it has none."""
    name = image.partition("@")[0].rpartition(":")[0]
    return next((pinned for pinned in repo_digests if pinned.partition("@")[0] == name), None)


def lines(usual: Mapping[str, str], known: Mapping[str, Sequence[str]]) -> list[str]:
    """Return a line for each setting; a comment for an image without a digest."""
    digests = {setting: digest(image, known.get(image, ())) for setting, image in usual.items()}
    return [
        f"{setting}={digests[setting]}" if digests[setting] else f"# {setting}: docker pull {image}"
        for setting, image in usual.items()
    ]


def _repo_digests(image: str) -> list[str]:
    """Ask Docker for the digests of an image; none if it is not there, or was built here."""
    command = ["docker", "image", "inspect", "--format", "{{json .RepoDigests}}", image]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(answer.stdout) or [] if answer.returncode == 0 else []


def main() -> int:
    """Print all lines; return 1 if an image has no digest."""
    usual = images(COMPOSE.read_text())
    pinned = lines(usual, {image: _repo_digests(image) for image in usual.values()})
    print("\n".join(pinned))
    return int(any(line.startswith("#") for line in pinned))


if __name__ == "__main__":
    sys.exit(main())
