"""Builds the sandbox images from Debian packages: `python -m sandbox.images.build [runtime …]`.

Decision. Context: many machines that grade reach a Debian mirror but no image registry, and an
agent needs an interpreter but no shell. Choice: mmdebstrap unpacks the few packages (their
scripts never run), `finish` removes everything but the interpreter, Docker imports the result.
Rejected: a base image from a registry (larger, holds a shell, not reachable everywhere).
Cost: root or sudo, and mmdebstrap on the machine that builds; others `docker load` the result.

The mirror is the one this machine's apt is configured with; none is named here.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

import docker
import docker.errors

from sandbox.errors import HostError
from sandbox.images import IMAGES, LABEL, image_reference

_SAME_BYTES = ("--sort=name", "--mtime=@1", "--numeric-owner")
"""Options of tar that give equal trees equal archives, and so equal image layers."""

_AT_ONCE = os.cpu_count() or 1
"""Images built at the same time: each step of one keeps one core busy, or waits for the mirror."""

_PASSED_APT_OPTIONS = re.compile(r"Acquire::(https?::|ftp::|Check-|Retries)")
"""Settings of the machine's apt without which its mirror may be out of reach."""


@dataclass(frozen=True, slots=True)
class Description:
    """The contents of `image.toml`."""

    suite: str
    packages: tuple[str, ...]
    wheels: tuple[str, ...]
    """Packages from a Python registry: lines for pip, each with a version and its hashes."""
    command: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]

    @classmethod
    def read(cls, runtime: str) -> "Description":
        """Read a runtime's description; KeyError or TypeError when it is incomplete."""
        data = tomllib.loads(files("sandbox.images").joinpath(runtime, "image.toml").read_text())
        return cls(
            suite=str(data["suite"]),
            packages=tuple(data["packages"]),
            wheels=tuple(data.get("wheels", ())),
            command=tuple(data["command"]),
            environment=tuple(sorted(data["environment"].items())),
        )


def main(arguments: list[str] | None = None) -> int:
    """Build the images that are missing, all of them by default; print what exists now."""
    parser = argparse.ArgumentParser(
        prog="python -m sandbox.images.build", description=main.__doc__
    )
    parser.add_argument("runtime", nargs="*", default=IMAGES, help=f"of {', '.join(IMAGES)}")
    parser.add_argument("--force", action="store_true", help="build even if the image exists")
    options = parser.parse_args(arguments)
    try:
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            signal.signal(signal.SIGTERM, lambda *_: _give_up(pool))
            reports = [pool.submit(_report, name, force=options.force) for name in options.runtime]
            for report in reports:
                report.result()
    except HostError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _give_up(pool: ThreadPoolExecutor) -> None:
    """End the programs that build, so that what they have unpacked is removed, as after a fault."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    pool.shutdown(wait=False, cancel_futures=True)
    os.killpg(0, signal.SIGTERM)


def _report(runtime: str, *, force: bool) -> None:
    reference = image_reference(runtime)
    with closing(_client()) as client:
        if force or not _exists(client, reference):
            print(f"Building {reference} from Debian packages …", flush=True)
            build(client, runtime)
        size = int(client.images.get(reference).attrs["Size"])
    print(f"{reference}  {size / 1e6:.0f} MB", flush=True)


def _client() -> docker.DockerClient:
    try:
        return docker.from_env()
    except docker.errors.DockerException as error:
        where = os.environ.get("DOCKER_HOST", "its usual socket")
        raise HostError(f"Docker does not answer at {where}. Start it: make services") from error


def build(client: docker.DockerClient, runtime: str) -> None:
    """Make a runtime's root file system and import it as the image its description names.

    Raises HostError when a step fails, with the failing program's own words.
    """
    description = Description.read(runtime)
    repository, tag = image_reference(runtime).split(":")
    with tempfile.TemporaryDirectory(prefix="firebox-image-") as directory:
        root, archive = Path(directory, "root"), Path(directory, "root.tar")
        try:
            wheels = _unpack_wheels(description.wheels, Path(directory, "wheels"))
            _unpack(description, root)
            versions = sorted([*package_versions(root), *wheels])
            _finish(runtime, root, archive)
        finally:
            as_root("rm", "-rf", "--one-file-system", str(root))
        client.api.import_image_from_file(
            str(archive),
            repository=repository,
            tag=tag,
            changes=_configuration(description, tag=tag, versions=versions),
        )


def package_versions(root: Path) -> list[str]:
    """Return `name=version` of each package unpacked in `root`, from its cached .deb file.

    Such a file is called `libcrypt1_1%3a4.4.33-2_amd64.deb`, the colon being escaped.
    """
    names = [path.stem for path in root.joinpath("var/cache/apt/archives").glob("*.deb")]
    parts = [name.replace("%3a", ":").split("_") for name in names]
    return sorted(f"{name}={version}" for name, version, _architecture in parts)


def _unpack(description: Description, root: Path) -> None:
    sources = apt_sources(description.suite)
    as_root(
        "mmdebstrap",
        "--quiet",
        "--variant=extract",
        "--format=directory",
        "--skip=cleanup",
        "--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr",
        f"--include={','.join(description.packages)}",
        *(f"--aptopt={option}" for option in apt_options()),
        description.suite,
        str(root),
        *(["-"] if sources else []),
        input_text=sources,
    )


def _unpack_wheels(wheels: Sequence[str], folder: Path) -> list[str]:
    """Unpack the packages of a registry into `folder`; return `name=version` of each.

    It is the registry that pip is configured with. What is needed besides is a Debian package.
    """
    folder.mkdir()
    if not wheels:
        return []
    required = folder.with_name("wheels.txt")
    required.write_text("".join(f"{line}\n" for line in wheels))
    command = (sys.executable, "-m", "pip", "install", f"--target={folder}", "--quiet")
    only = ("--no-deps", "--no-compile", "--only-binary=:all:", "--python-version=3.11")
    result = subprocess.run(
        [*command, *only, "--require-hashes", f"--requirement={required}"],
        check=False, capture_output=True, text=True, umask=0o022,
    )  # fmt: skip
    if result.returncode != 0:
        raise HostError(f"Building the image failed at pip:\n{result.stderr}")
    return [line.split()[0].replace("==", "=") for line in wheels]


def _finish(runtime: str, root: Path, archive: Path) -> None:
    wheels = str(root.with_name("wheels"))
    with as_file(files("sandbox.images").joinpath(runtime, "finish")) as finish:
        as_root(str(finish), str(root), wheels)
    as_root("tar", *_SAME_BYTES, "--create", f"--directory={root}", f"--file={archive}", ".")


def as_root(*command: str, input_text: str = "") -> None:
    """Run a command with root's rights; HostError when it fails or is not installed."""
    words = [*(() if os.geteuid() == 0 else ("sudo",)), *command]
    try:
        # Agents are other users than root: the caller's umask must not hide the files from them.
        result = subprocess.run(
            words, check=False, capture_output=True, input=input_text, text=True, umask=0o022
        )
    except FileNotFoundError as error:
        raise HostError(
            f"Building the image needs {words[0]}. Install it with: make setup"
        ) from error
    if result.returncode != 0:
        raise HostError(f"Building the image failed at {command[0]}:\n{result.stderr}")


def apt_sources(suite: str) -> str:
    """Return this machine's sources of `suite`, with its updates, in apt's one-line form.

    Empty on a machine of another release: mmdebstrap then takes Debian's own mirrors.
    """
    form = "deb $(SITE) $(RELEASE) $(COMPONENT)"
    output = _output("apt-get", "indextargets", "--format", form, "Created-By: Packages")
    lines = sorted({line for line in output.splitlines() if line.split()[2].startswith(suite)})
    return "".join(f"{line}\n" for line in lines)


def apt_options() -> list[str]:
    """Return how this machine's apt reaches its mirror: proxies, certificates, patience."""
    output = _output("apt-config", "dump", "--format", '%f "%v"%n', "Acquire")
    return [line for line in output.splitlines() if _PASSED_APT_OPTIONS.match(line)]


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _configuration(description: Description, *, tag: str, versions: list[str]) -> list[str]:
    """Return the image's configuration as the Dockerfile lines that `docker import` takes."""
    return [
        *(f"ENV {name}={value}" for name, value in description.environment),
        f"CMD {json.dumps(list(description.command))}",
        f"LABEL {LABEL}.inputs={tag}",
        f'LABEL {LABEL}.packages="{" ".join(versions)}"',
    ]


def _exists(client: docker.DockerClient, reference: str) -> bool:
    try:
        client.images.get(reference)
    except docker.errors.ImageNotFound:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
