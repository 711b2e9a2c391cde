#!/usr/bin/env python3
"""Makes the image on which `deploy/Dockerfile` builds, from Debian packages: no registry is asked.

    .venv/bin/python deploy/dev/base_image.py >> deploy/.env

With `--closed` it has all packages that the Dockerfile installs, so that builds ask no Debian
mirror either; it is then 300 MB larger. Make it again for Debian's security updates. Needs root or
sudo, mmdebstrap, and a mirror that this machine's apt knows.
"""

import argparse
import re
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Final

import docker

from sandbox.images.build import apt_options, apt_sources, as_root

ROOT: Final = Path(__file__).resolve().parents[2]
SUITE: Final = "bookworm"
_INSTALLED: Final = re.compile(r"apt-get install --yes --no-install-recommends ([a-z0-9 .+-]+)")
_FORGET_MIRROR: Final = (
    '--customize-hook=rm --force "$1/etc/apt/sources.list" "$1/etc/apt/apt.conf.d/99mmdebstrap"'
)


def main() -> None:
    """Make the image and print the setting that names it."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("name", nargs="?", default=f"firebox-base:{SUITE}")
    parser.add_argument("--closed", action="store_true", help="with the compiler's packages, too")
    options = parser.parse_args()
    make(options.name, closed=options.closed)
    print(f"DEBIAN_IMAGE={options.name}")


def packages() -> list[list[str]]:
    """Return the packages that each stage of the Dockerfile installs, the base's first."""
    found = _INSTALLED.findall((ROOT / "deploy" / "Dockerfile").read_text())
    return [stage.split() for stage in found]


def make(name: str, *, closed: bool) -> None:
    """Unpack the packages, run their scripts, and have Docker import the result."""
    repository, _, tag = name.partition(":")
    with tempfile.TemporaryDirectory(prefix="firebox-image-") as directory:
        archive = Path(directory, "root.tar")
        _bootstrap(archive, closed=closed)
        with closing(docker.from_env()) as client:
            client.api.import_image_from_file(
                str(archive), repository=repository, tag=tag or "latest"
            )


def _bootstrap(archive: Path, *, closed: bool) -> None:
    stages = packages() if closed else packages()[:1]
    sources = apt_sources(SUITE)
    as_root(
        "mmdebstrap",
        "--quiet",
        "--variant=minbase",
        "--format=tar",
        f"--include={','.join(package for stage in stages for package in stage)}",
        *(f"--aptopt={option}" for option in apt_options()),
        *([_FORGET_MIRROR] if closed else []),
        SUITE,
        str(archive),
        *(["-"] if sources else []),
        input_text=sources,
    )


if __name__ == "__main__":
    main()
