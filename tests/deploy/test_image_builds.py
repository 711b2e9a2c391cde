"""The images of the site and of graders are built without a network, and run."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from deploy.dev import base_image

pytestmark = [
    pytest.mark.docker,
    pytest.mark.slow,
    pytest.mark.deep,
    pytest.mark.usefixtures("_base"),
]

ROOT: Final = Path(__file__).parents[2]
PYTHON: Final = "/usr/bin/python3"
"""Debian's, as in the images: some wheels are for its version alone."""
LOCKS: Final = ("deploy/web.lock", "deploy/grader.lock")
WITH_WHEELS: Final = """
FROM firebox-test-base
COPY wheels /wheels
RUN printf '[global]\\nno-index = true\\nfind-links = /wheels\\n' > /etc/pip.conf
"""
HEALTH: Final = """
python -m webapp migrate --verbosity 0
python -m webapp.serve --bind 127.0.0.1:8000 --processes 1 &
python - <<'END'
import time, urllib.request
for _ in range(300):
    try:
        print(urllib.request.urlopen("http://127.0.0.1:8000/healthz").read().decode())
        break
    except OSError:
        time.sleep(0.1)
END
"""
MACHINE_CODE: Final = "from grader.core.games.hanabi import rules; print(rules.__file__)"


def docker(*words: str) -> str:
    done = subprocess.run(["docker", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"docker {words[0]}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


def download(lock: str, *, to: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--python", PYTHON, "download", "--quiet"]
    what = ["--no-deps", "--require-hashes", "--requirement", str(ROOT / lock)]
    subprocess.run([*pip, *what, "--dest", str(to)], check=True)


def build(target: str) -> str:
    name = f"firebox-test-{target}"
    base = "DEBIAN_IMAGE=firebox-test-wheels"
    docker(
        "build", "--network", "none", "--build-arg", base, "--file", f"{ROOT}/deploy/Dockerfile",
        "--target", target, "--tag", name, str(ROOT),
    )  # fmt: skip
    return name


@pytest.fixture(scope="module")
def _base(docker_engine: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """An image of Debian's packages, with the wheels of both locks."""
    directory = tmp_path_factory.mktemp("images")
    (directory / "Dockerfile").write_text(WITH_WHEELS)
    for lock in LOCKS:
        download(lock, to=directory / "wheels")
    base_image.make("firebox-test-base", closed=True)
    docker("build", "--network", "none", "--tag", "firebox-test-wheels", str(directory))
    yield
    ours = ("--filter", "dangling=true", "--filter", "since=firebox-test-wheels")
    stages = docker("images", "--quiet", *ours).split()
    docker("rmi", "--force", *stages, "firebox-test-wheels", "firebox-test-base")


def test_the_image_of_the_site_serves_pages() -> None:
    image = build("web")
    settings = {"FIREBOX_SECRET_KEY": "s" * 50, "FIREBOX_VAR_DIR": "/var/lib/firebox"}
    given = [word for pair in settings.items() for word in ("--env", "=".join(pair))]
    said = docker("run", "--rm", "--network", "none", *given, image, "sh", "-ec", HEALTH)
    assert "ok" in said.splitlines()
    docker("rmi", "--force", image)


def test_the_image_of_a_grader_has_its_worker_and_compiled_rules() -> None:
    image = build("grader")
    run = ("run", "--rm", "--network", "none", image)
    assert "grader.play_batch" in docker(
        *run, "python", "-c", "from grader.worker.tasks import app; print(list(app.tasks))"
    )
    assert docker(*run, "python", "-c", MACHINE_CODE).strip().endswith(".so")
    docker("rmi", "--force", image)
