"""A revision beside the checkout: both play, and what cannot be measured is said."""

import json
from pathlib import Path

import pytest

from grader.bench import against, summary
from grader.bench.__main__ import main
from grader.bench.figures import GROUPS
from grader.core.errors import SystemFault

pytestmark = pytest.mark.slow


def test_a_revision_that_is_not_there_is_named() -> None:
    with (
        pytest.raises(SystemFault, match="no-such-revision"),
        against.checked_out("no-such-revision"),
    ):
        raise AssertionError("it was checked out")


@pytest.mark.docker
def test_both_versions_play_in_every_round_and_their_figures_are_kept(
    docker_engine: object,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    file = tmp_path / "figures.json"
    options = ["--against", "HEAD", "--games", "2", "--rounds", "1", "--output", str(file)]
    monkeypatch.setattr("sys.argv", ["bench", *options])
    monkeypatch.setattr(against, "SUBJECTS", against.SUBJECTS[:1])
    monkeypatch.setattr(summary, "GROUPS", {"two seats": GROUPS["two seats"]})
    main()
    printed = capsys.readouterr().out
    assert "This version against HEAD" in printed
    assert "now / HEAD" in printed
    kept = json.loads(file.read_text())
    assert kept["machine"]["options"] == {"games": 2, "rounds": 1}
    (ours,), (theirs,) = kept["figures"]["summary"]["ours"], kept["figures"]["summary"]["theirs"]
    assert ours.keys() == theirs.keys() == {"processor_2", "rate_2", "runner_2", "all_2"}
    assert min(*ours.values(), *theirs.values()) > 0
    (found,) = kept["figures"]["evaluations"]
    subject, games, ours, theirs = found
    assert (subject[1:3], games) == (["light", 2], 2)
    assert len(ours) == len(theirs) == 1
    assert all(wall > 0 and busy > 0 for wall, busy in (*ours, *theirs))
