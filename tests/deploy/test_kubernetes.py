"""The manifests for Kubernetes."""

import os
import re
import subprocess
import time
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
import yaml

MANIFESTS = Path(__file__).parents[2] / "deploy" / "kubernetes"
KEYS = "/var/lib/firebox-grader"
"""The directory of a node's key, which all its workers sign with."""
MAY_MOUNT = {"/run/docker.sock", "/run/firebox", KEYS}


def of_kind(kind: str, file: str) -> list[dict[str, Any]]:
    documents = yaml.safe_load_all((MANIFESTS / file).read_text())
    return [document for document in documents if document["kind"] == kind]


def pod_of(document: dict[str, Any]) -> dict[str, Any]:
    pod: dict[str, Any] = document["spec"]["template"]["spec"]
    return pod


def containers(*documents: dict[str, Any]) -> list[dict[str, Any]]:
    pods = [pod_of(document) for document in documents]
    found = [each for pod in pods for each in [*pod.get("initContainers", []), *pod["containers"]]]
    return [{"command": [], **container} for container in found]


def test_graders_on_kubernetes_mount_only_what_they_may_and_have_limits() -> None:
    (graders,) = of_kind("Deployment", "graders.yaml")
    (policy,) = of_kind("NetworkPolicy", "graders.yaml")
    spec = pod_of(graders)
    assert {volume["hostPath"]["path"] for volume in spec["volumes"]} == MAY_MOUNT
    assert all(each["resources"]["limits"] for each in spec["containers"])
    for container in spec["containers"]:
        assert {"name": "FIREBOX_GRADER_KEY", "value": f"{KEYS}/key"} in container["env"]
        assert {"name": "FIREBOX_OPEN_SANDBOXES", "value": "32"} in container["env"]
        assert {"name": "key", "mountPath": KEYS} in container["volumeMounts"]
    assert policy["spec"]["podSelector"] == graders["spec"]["selector"]
    assert policy["spec"]["ingress"] == []


def test_graders_never_share_a_node() -> None:
    (graders,) = of_kind("Deployment", "graders.yaml")
    affinity = pod_of(graders)["affinity"]["podAntiAffinity"]
    (rule,) = affinity["requiredDuringSchedulingIgnoredDuringExecution"]
    assert rule["labelSelector"] == graders["spec"]["selector"]
    assert rule["topologyKey"] == "kubernetes.io/hostname"


def test_the_site_has_two_results_workers_and_no_celery_beat() -> None:
    deployments = of_kind("Deployment", "site.yaml")
    assert not any("beat" in container["command"] for container in containers(*deployments))
    (results,) = (each for each in deployments if each["metadata"]["name"] == "results")
    assert results["spec"]["replicas"] == 2


def test_only_the_job_changes_the_database_and_the_others_wait_for_it() -> None:
    (job,) = of_kind("Job", "site.yaml")
    (migrate,) = pod_of(job)["containers"]
    assert migrate["command"] == ["python", "-m", "webapp", "migrate"]
    deployments = of_kind("Deployment", "site.yaml")
    for deployment in deployments:
        (prepare,) = pod_of(deployment)["initContainers"]
        assert prepare["command"][2].startswith("until python -m webapp migrate --check;")
    commands = [" ".join(container["command"]) for container in containers(*deployments)]
    assert not any("migrate" in command.replace("migrate --check", "") for command in commands)


def test_one_web_and_one_results_pod_remain_while_nodes_are_drained() -> None:
    kept = {
        budget["spec"]["selector"]["matchLabels"]["app"]: budget["spec"]["minAvailable"]
        for budget in of_kind("PodDisruptionBudget", "site.yaml")
    }
    assert kept == {"firebox-web": 1, "firebox-results": 1}


def test_every_autoscaler_names_a_deployment_that_exists() -> None:
    targets = {
        scaled["spec"]["scaleTargetRef"]["name"] for scaled in of_kind("ScaledObject", "keda.yaml")
    }
    deployments = of_kind("Deployment", "site.yaml") + of_kind("Deployment", "graders.yaml")
    assert targets <= {deployment["metadata"]["name"] for deployment in deployments}
    assert len(targets) == 2


@pytest.mark.parametrize("file", ["site.yaml", "graders.yaml"])
def test_a_worker_is_restarted_when_it_shows_no_life_for_minutes(file: str, tmp_path: Path) -> None:
    """One that waits for the broker has not begun to show any."""
    workers = [each for each in containers(*of_kind("Deployment", file)) if is_worker(each)]
    assert len(workers) == (2 if file == "site.yaml" else 3)
    alive = tmp_path / "alive"
    for worker in workers:
        (touched,) = (e["value"] for e in worker["env"] if e["name"] == "FIREBOX_ALIVE_FILE")
        command = worker["livenessProbe"]["exec"]["command"]
        probe = [part.replace(f" {touched} ", f" {alive} ") for part in command]
        assert subprocess.run(probe, check=False).returncode == 0
        alive.touch()
        assert subprocess.run(probe, check=False).returncode == 0
        os.utime(alive, (0, time.time() - 360))
        assert subprocess.run(probe, check=False).returncode != 0
        alive.unlink()


def is_worker(container: dict[str, Any]) -> bool:
    return container["command"][:1] == ["celery"]


@pytest.mark.parametrize("file", ["site.yaml", "graders.yaml"])
def test_every_container_has_requests_and_limits(file: str) -> None:
    for container in containers(*of_kind("Deployment", file), *of_kind("Job", file)):
        assert container["resources"]["requests"].keys() == {"cpu", "memory"}
        assert "memory" in container["resources"]["limits"]


def promql(directory: Path, query: str, series: dict[str, float]) -> float:
    figures = [{"series": name, "values": str(value)} for name, value in series.items()]
    check = {"expr": query, "eval_time": "0s", "exp_samples": []}
    tests = [{"interval": "10s", "input_series": figures, "promql_expr_test": [check]}]
    directory.joinpath("test.yaml").write_text(yaml.safe_dump({"tests": tests}))
    command = ["promtool", "test", "rules", str(directory / "test.yaml")]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    return float(re.findall(r"got:\s*\{\} (\S+)", said.stdout + said.stderr)[0])


def test_work_that_waits_adds_graders_unless_all_are_paused(tmp_path: Path) -> None:
    graders = next(
        scaled for scaled in of_kind("ScaledObject", "keda.yaml")
        if scaled["metadata"]["name"] == "grader"
    )  # fmt: skip
    for trigger in graders["spec"]["triggers"]:
        query = trigger["metadata"]["query"]
        old = {
            f'firebox_queue_oldest_seconds{{queue="{name}"}}': 5000 for name in ("graded", "smoke")
        }
        assert promql(tmp_path, query, old | {"firebox_paused": 0}) == 5000
        assert promql(tmp_path, query, old | {"firebox_paused": 1}) == 0
        assert promql(tmp_path, query, old) == 5000, "an earlier version of the site"
        assert promql(tmp_path, query, {"firebox_paused": 0}) == 0


@pytest.mark.parametrize("file", ["site.yaml", "graders.yaml"])
def test_every_pod_reaches_only_what_a_policy_names(file: str) -> None:
    (policy,) = of_kind("NetworkPolicy", file)
    assert set(policy["spec"]["policyTypes"]) == {"Ingress", "Egress"}
    rules = policy["spec"]["egress"]
    assert all(rule["to"] and rule["ports"] for rule in rules)
    (names,) = (rule for rule in rules if rule["ports"][0]["port"] == 53)
    assert names["to"][0]["podSelector"] == {"matchLabels": {"k8s-app": "kube-dns"}}
    assert all(rule["from"] for rule in policy["spec"]["ingress"])
    pods = {pod["metadata"]["labels"]["app"] for pod in templates(file)}
    selector = policy["spec"]["podSelector"]
    labels = selector.get("matchLabels", {})
    (chosen,) = selector.get("matchExpressions") or [{"values": [*labels.values()]}]
    assert set(chosen["values"]) == pods


def templates(file: str) -> list[dict[str, Any]]:
    return [d["spec"]["template"] for d in of_kind("Deployment", file) + of_kind("Job", file)]


def test_a_grader_reaches_two_addresses_and_the_site_no_metadata_service() -> None:
    blocks = ip_blocks("graders.yaml")
    assert [ip_network(block["cidr"]).num_addresses for block in blocks] == [1, 1]
    for address in ("169.254.169.254", "fd00:ec2::254"):
        assert any(
            ip_address(address) in ip_network(net)
            for block in ip_blocks("site.yaml")
            for net in block["except"]
            if ip_network(net).version == ip_address(address).version
        )


def ip_blocks(file: str) -> list[dict[str, Any]]:
    (policy,) = of_kind("NetworkPolicy", file)
    return [to["ipBlock"] for r in policy["spec"]["egress"] for to in r["to"] if "ipBlock" in to]
