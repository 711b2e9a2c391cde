"""The sandbox images: their names, and what is in them."""

import os
import sys
from pathlib import Path

import docker
import docker.errors
import pytest

from sandbox.errors import ImageMissing
from sandbox.images import LABEL, ensure_image, image_reference
from sandbox.images.build import as_root


def test_the_tag_is_a_digest_of_the_description() -> None:
    name, tag = image_reference("python").split(":")
    assert name == "firebox-python"
    assert len(tag) == 12
    assert int(tag, 16) >= 0


def test_a_runtime_without_description_has_no_image() -> None:
    with pytest.raises(FileNotFoundError):
        image_reference("cobol")


@pytest.mark.docker
def test_a_missing_image_is_reported_with_the_way_to_build_it(
    docker_engine: docker.DockerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandbox.images.image_reference", lambda _runtime: "firebox-python:none")
    with pytest.raises(ImageMissing, match="make images"):
        ensure_image("python")


@pytest.mark.docker
def test_the_image_names_the_versions_of_its_packages(docker_engine: docker.DockerClient) -> None:
    labels = docker_engine.images.get(ensure_image("python")).labels
    packages = dict(word.split("=") for word in labels[f"{LABEL}.packages"].split())
    assert packages["libpython3.11-stdlib"].startswith("3.11.")
    assert "libc6" in packages


@pytest.mark.docker
def test_files_of_an_image_can_be_read_whatever_the_umask_of_its_builder(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        as_root(sys.executable, "-c", f"open({str(tmp_path / 'file')!r}, 'x')")
    finally:
        os.umask(before)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o644


def test_the_image_is_small(docker_engine: docker.DockerClient) -> None:
    assert docker_engine.images.get(ensure_image("python")).attrs["Size"] < 80_000_000


@pytest.mark.docker
def test_the_image_holds_no_program_but_the_interpreter(docker_engine: docker.DockerClient) -> None:
    script = "import os; print(sorted(os.listdir('/bin') + os.listdir('/sbin')))"
    assert run(docker_engine, script) == "['python3', 'python3.11']"


@pytest.mark.docker
def test_the_standard_library_is_compiled_in_the_image(docker_engine: docker.DockerClient) -> None:
    script = (
        "import zipfile; names = zipfile.ZipFile('/usr/lib/python311.zip').namelist();"
        "print('json/decoder.pyc' in names, sorted({name.rpartition('.')[2] for name in names}))"
    )
    assert run(docker_engine, script) == "True ['pickle', 'pyc']"


@pytest.mark.docker
def test_the_image_has_no_file_that_gives_rights(docker_engine: docker.DockerClient) -> None:
    script = (
        "import pathlib; files = pathlib.Path('/usr').rglob('*');"
        "print([file for file in files if file.lstat().st_mode & 0o6000])"
    )
    assert run(docker_engine, script) == "[]"


@pytest.mark.docker
@pytest.mark.parametrize(
    ("runtime", "programs"),
    [
        ("cpp", "addr2line as g++ ld objdump python3 python3.11"),
        ("haskell", "as ld objdump python3 python3.11 touch x86_64-linux-gnu-gcc"),
    ],
)
def test_a_builders_image_holds_a_compiler_and_no_shell(
    docker_engine: docker.DockerClient, runtime: str, programs: str
) -> None:
    script = "import os; print(*sorted(os.listdir('/bin')), len(os.listdir('/sbin')))"
    assert run(docker_engine, script, runtime=runtime) == f"{programs} 0"


@pytest.mark.docker
@pytest.mark.parametrize("runtime", ["cpp", "haskell"])
def test_a_builders_image_has_no_file_that_gives_rights(
    docker_engine: docker.DockerClient, runtime: str
) -> None:
    script = (
        "import pathlib; files = pathlib.Path('/usr').rglob('*');"
        "print([file for file in files if file.lstat().st_mode & 0o6000])"
    )
    assert run(docker_engine, script, runtime=runtime) == "[]"


def run(engine: docker.DockerClient, script: str, *, runtime: str = "python") -> str:
    """Run a line of Python in the image and return what it printed."""
    output = engine.containers.run(
        ensure_image(runtime),
        ["/usr/bin/python3", "-I", "-c", script],
        network_mode="none",
        read_only=True,
        remove=True,
        labels={LABEL: "test"},
    )
    assert isinstance(output, bytes)
    return output.decode().strip()
