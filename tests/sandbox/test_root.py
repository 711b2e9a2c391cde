"""The root directory of a sandbox in a container: what is in it, and who can change it."""

from pathlib import Path

import pytest

from sandbox.program import Runtime
from tests.sandbox.stage import container_sandbox

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_engine")]


def test_each_sandbox_has_a_root_of_its_own_and_the_same_user_inside(tmp_path: Path) -> None:
    answers = []
    with container_sandbox("root", tmp_path) as one, container_sandbox("root", tmp_path) as other:
        for opened in (one, other):
            process = opened.sandbox.start_process()
            answer = process.ask(b"?\n", start=True)
            assert isinstance(answer, bytes)
            answers.append(answer.split())
            process.finish(b"")
    (first, *user), (second, *same_user) = answers
    assert first != second
    assert user == same_user == [b"1000", b"1000"]


def test_the_root_of_a_sandbox_cannot_be_written_to(tmp_path: Path) -> None:
    """By nobody in it, whatever else would forbid it."""
    with container_sandbox("echo", tmp_path) as opened:
        mounts = Path(f"/proc/{opened.sandbox.supervisor_pid}/mountinfo").read_text().splitlines()
    root = next(fields for line in mounts if (fields := line.split())[4] == "/")
    assert "ro" in root[5].split(",")


def test_no_process_in_a_container_has_a_capability(tmp_path: Path) -> None:
    with container_sandbox("echo", tmp_path) as opened:
        found = capabilities(Path(f"/proc/{opened.sandbox.supervisor_pid}"))
    assert found == {"0" * 16}


def capabilities(process: Path) -> frozenset[str]:
    status = (process / "status").read_text()
    sets = dict(line.split(":\t") for line in status.splitlines() if line.startswith("Cap"))
    return frozenset(sets[name] for name in ("CapInh", "CapPrm", "CapEff", "CapAmb"))


def test_a_runtime_starts_among_the_images_files_and_its_agent_sees_only_its_own(
    tmp_path: Path,
) -> None:
    (tmp_path / "project").mkdir()
    for name in ("agent.py", "data.txt"):
        (tmp_path / "project" / name).write_text("")
    runtime = Runtime(
        start="talkers:start_thread",
        visible_paths=("/usr/lib/python3.11",),
        limits_address_space=False,
    )
    own = b"data.txt ../project/data.txt /agent/project"
    others = b"/usr /lib /build /adapter /nothing /inner ../usr ../../usr ../../../usr /.. "
    with container_sandbox("sees", tmp_path, how={"runtime": runtime}) as opened:
        for _ in range(2):
            process = opened.sandbox.start_process()
            assert process.ask(others + own + b"\n", start=True) == b"/.. " + own
            threads = list(Path(f"/proc/{process._clock.pid}/task").iterdir())
            assert {capabilities(thread) for thread in threads} == {frozenset({"0" * 16})}
            assert len(threads) == 2
            process.finish(b"")
