"""Evaluations of agents of all interfaces: what is asked for, recorded, and typed at home."""

import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader import house
from grader.cli.arguments import agents_of, game_of, mode_of
from grader.cli.command_line import read
from grader.cli.evaluate import EvaluateArguments
from grader.cli.main import parser
from grader.cli.play import PlayArguments
from grader.core.deals import PRACTICE_SECRET, deal_seed
from grader.core.errors import RecordError
from grader.core.records import AgentRef, BatchPhase, Mode
from grader.interfaces import INTERFACES
from grader.play.players import LocalPlayer, play_game
from tests.support.jobs import audit_request, request_of
from tests.support.trusted import record_batch
from tests.webapp import fakes
from tests.webapp.conftest import NOW
from webapp.flow.pipeline import accept, update_assignment
from webapp.grading.evaluations.models import Audit, Evaluation, Kind
from webapp.grading.evaluations.reproducing import export_json, reproduce_command
from webapp.grading.evaluations.services import grade_team, request_house
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Team
from webapp.teaching.courses.services import reveal_secret, team_for

AGENTS = Path(__file__).parents[2] / "grader" / "interfaces"
SAMPLES = {
    "uwa-java": AGENTS / "uwa_java" / "agents" / "Agent10000001.java",
    "gcc-cpp": AGENTS / "gcc_cpp" / "agents" / "veteran" / "Player.h",
    "ensta-python": AGENTS / "ensta" / "agents" / "careful" / "robot.py",
    "cs221-python": AGENTS / "cs221" / "agents" / "plain.py",
}


@pytest.fixture
def written_in(
    assignment: Assignment, ida: User, ada: User, upload: Callable[..., Submission]
) -> Callable[..., Submission]:
    def make(name: str, **fields: Any) -> Submission:
        options = {"variant": INTERFACES[name].rules.variant, "players": 2}
        usual = {"interfaces": [name], "options": options}
        update_assignment(assignment=assignment, by=ida, **(usual | fields))
        assignment.refresh_from_db()
        sample = SAMPLES[name]
        team = team_for(user=ada, assignment=assignment)
        return upload(team, data=sample.read_bytes(), filename=sample.name)

    return make


def asked(evaluation: Evaluation) -> AgentRef:
    return request_of(fakes.jobs(evaluation)[0]).agents[0]


@pytest.mark.parametrize("name", SAMPLES)
def test_graders_are_told_the_interface(name: str, written_in: Callable[..., Submission]) -> None:
    submission = written_in(name)
    evaluation = submission.evaluations.get()
    assert asked(evaluation) == AgentRef(interface=name, sha256=submission.sha256)
    assert evaluation.interface == name


def test_options_are_those_of_the_moment_of_the_request(
    written_in: Callable[..., Submission], assignment: Assignment, ida: User
) -> None:
    submission = written_in("uwa-java", interface_options=["legacy_first_state"])
    evaluation = submission.evaluations.get()
    update_assignment(assignment=assignment, by=ida, interface_options=[])
    evaluation.refresh_from_db()
    assert asked(evaluation).options == ("legacy_first_state",)


def test_options_of_another_interface_are_not_an_agent_s(
    written_in: Callable[..., Submission], assignment: Assignment, team: Team, ida: User
) -> None:
    written_in(
        "uwa-java", interface_options=["legacy_first_state"], interfaces=["uwa-java", "python"]
    )
    (evaluation,) = request_house(assignment=assignment, by=ida, names=["iggi"], at=NOW)
    assert asked(evaluation).options == ()


@pytest.mark.parametrize(
    ("asked_for", "mode"), [("", Mode.TEAM), ("team", Mode.TEAM), ("seat", Mode.SEAT)]
)
def test_an_interfaces_own_mode_holds_unless_the_assignment_has_one(
    written_in: Callable[..., Submission], asked_for: str, mode: Mode
) -> None:
    evaluation = written_in("ensta-python", mode=asked_for).evaluations.get()
    request = request_of(fakes.jobs(evaluation)[0])
    assert (request.mode, evaluation.mode) == (Mode(asked_for) if asked_for else None, mode)


def test_house_agents_keep_a_process_for_each_seat(
    written_in: Callable[..., Submission], assignment: Assignment, ida: User
) -> None:
    written_in("ensta-python", mode="team")
    (evaluation,) = request_house(assignment=assignment, by=ida, names=["iggi"], at=NOW)
    assert (evaluation.interface, evaluation.mode) == (house.INTERFACE, Mode.SEAT)
    fakes.play(evaluation)
    assert evaluation.mean == 16.0


@pytest.mark.slow
@pytest.mark.parametrize("name", house.family("hanabi").names)
@pytest.mark.parametrize("variant", ["standard", "uwa", "gcc", "ensta", "cs221"])
def test_every_house_agent_plays_by_the_rules_of_every_course(
    assignment: Assignment, ida: User, name: str, variant: str
) -> None:
    changed = {"options": {"variant": variant, "players": 2}}
    update_assignment(assignment=assignment, by=ida, **changed)
    record = play_game(
        assignment.rules,
        deal_seed(PRACTICE_SECRET, 0),
        [LocalPlayer(house.agent(name)) for _ in range(2)],
    )
    assert record.fault is None


def test_games_in_another_mode_than_asked_for_are_refused(
    written_in: Callable[..., Submission],
) -> None:
    evaluation = written_in("ensta-python").evaluations.get()
    (batch,) = fakes.jobs(evaluation)
    wrong = tuple(
        replace(result, record=replace(result.record, mode=Mode.SEAT))
        for result in fakes.played(request_of(batch))
    )
    with pytest.raises(RecordError, match="mode seat, not team"):
        record_batch(fakes.report(batch, BatchPhase.DONE, wrong))
    assert not evaluation.results.exists()


@pytest.mark.slow
def test_the_audit_is_of_the_agent_with_its_options(
    written_in: Callable[..., Submission], ida: User
) -> None:
    submission = written_in("uwa-java", interface_options=["legacy_first_state"])
    fakes.play(submission.evaluations.get())
    graded = fakes.play(grade_team(team=submission.team, by=ida, at=NOW))
    assert audit_request(graded.audit).agent == graded.agent
    assert graded.agent.options == ("legacy_first_state",)


@pytest.mark.slow
def test_seats_that_share_a_process_are_not_audited(
    written_in: Callable[..., Submission], ida: User
) -> None:
    submission = written_in("ensta-python")
    fakes.play(submission.evaluations.get())
    fakes.play(grade_team(team=submission.team, by=ida, at=NOW))
    assert not Audit.objects.exists()


def test_an_export_says_how_it_was_played(
    written_in: Callable[..., Submission], assignment: Assignment
) -> None:
    submission = written_in("ensta-python", mode="team")
    smoke = fakes.play(submission.evaluations.get())
    text = export_json(smoke)
    assert '"interface":"ensta-python"' in text
    assert '"mode":"team"' in text


# --- At home ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("index", [None, 3])
def test_the_command_line_takes_the_command_for_the_same_agent(
    written_in: Callable[..., Submission],
    name: str,
    index: int | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fields: dict[str, Any] = {}
    if name == "uwa-java":
        fields = {"interface_options": ["legacy_first_state"]}
    if name == "ensta-python":
        fields = {"mode": "seat"}
    evaluation = written_in(name, **fields).evaluations.get()
    words = shlex.split(reproduce_command(evaluation, index))
    monkeypatch.chdir(tmp_path)
    Path(SAMPLES[name].name).write_bytes(SAMPLES[name].read_bytes())
    parsed = parser().parse_args(words[1:])
    arguments = read(EvaluateArguments if index is None else PlayArguments, parsed)
    (program,) = agents_of(arguments.agents)
    assert program.ref == evaluation.agent
    assert game_of(arguments.rules, [program]).options == evaluation.parsed_spec.options
    assert mode_of(arguments.agents) == (Mode.SEAT if name == "ensta-python" else None)


def test_the_class_that_was_named_is_in_the_command(
    written_in: Callable[..., Submission], assignment: Assignment, ada: User
) -> None:
    evaluation = written_in("ensta-python").evaluations.get()
    assert "--class" not in reproduce_command(evaluation)
    sample = SAMPLES["ensta-python"]
    named = accept(
        team=team_for(user=ada, assignment=assignment),
        by=ada,
        filename=sample.name,
        data=sample.read_bytes(),
        agent_class="Careful",
        at=NOW,
    )
    words = shlex.split(reproduce_command(named.evaluations.get()))
    assert words[words.index("--class") + 1] == "Careful"


def test_a_mode_that_is_usual_is_not_in_the_command(
    written_in: Callable[..., Submission],
) -> None:
    evaluation = written_in("ensta-python", mode="team").evaluations.get()
    command = reproduce_command(evaluation)
    assert command == (
        "firebox evaluate robot.py --games 5 --interface ensta-python --variant ensta --players 2"
    )


def test_a_file_named_like_a_house_agent_is_still_a_file(
    team: Team, upload: Callable[..., Submission]
) -> None:
    evaluation = upload(team, filename="house:iggi.py").evaluations.get()
    assert "evaluate ./house:iggi.py" in reproduce_command(evaluation)


def test_a_house_agent_needs_no_interface(assignment: Assignment, ida: User) -> None:
    (evaluation,) = request_house(assignment=assignment, by=ida, names=["iggi"], at=NOW)
    fakes.play(evaluation)
    reveal_secret(assignment=assignment, by=ida, at=assignment.due_at.replace(year=2030))
    evaluation.refresh_from_db()
    assert "--interface" not in reproduce_command(evaluation)
    assert evaluation.kind == Kind.GRADED
