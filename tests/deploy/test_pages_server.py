"""The server of the pages: all deployments run the one that buffers requests and times out.

``tests/webapp/test_serving.py`` has how it behaves.
"""

from pathlib import Path

import pytest
import yaml

DEPLOY = Path(__file__).parents[2] / "deploy"
SERVER = "webapp.serve"


@pytest.mark.parametrize(
    ("file", "before"),
    [
        ("dev/site.sh", 'run web "$VENV/bin/python" -m '),
        ("Dockerfile", 'CMD ["python", "-m", "'),
        ("systemd/firebox-web.service", "ExecStart=/srv/firebox/.venv/bin/python -m "),
    ],
)
def test_the_demo_the_image_and_systemd_run_the_same_server(file: str, before: str) -> None:
    assert before + SERVER in (DEPLOY / file).read_text()


def test_compose_and_kubernetes_run_what_the_image_runs() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["web"]
    documents = yaml.safe_load_all((DEPLOY / "kubernetes" / "site.yaml").read_text())
    (pod,) = (
        document["spec"]["template"]["spec"]
        for document in documents
        if document["kind"] == "Deployment" and document["metadata"]["name"] == "web"
    )
    assert {"command", "entrypoint"}.isdisjoint(compose)
    assert all({"command", "args"}.isdisjoint(container) for container in pod["containers"])
