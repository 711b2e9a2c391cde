"""A game of a course as its lecturer would write it: seats act together, and chance is kept."""

from types import SimpleNamespace
from typing import ClassVar

import pytest

from firebox import Agent
from grader.conformance import CHECKS, Level, Trial, findings, published
from grader.core.chance import Chance
from grader.core.errors import RecordError
from grader.core.games import checks
from grader.core.games.base import ChanceIn
from grader.core.games.fixed import FixedRules
from grader.core.games.joint import JointState
from grader.core.games.presentation import Presentation

MOVES = [{"type": "cooperate"}, {"type": "defect"}]
POINTS = {(0, 0): (3, 3), (0, 1): (0, 5), (1, 0): (5, 0), (1, 1): (1, 1)}
ROUNDS = 20


class Dilemma(FixedRules):
    name = "noisy_dilemma"
    title = "Noisy dilemma"
    rules_version = 1
    competitive = True
    chance = ChanceIn.PLAY
    endings: ClassVar = {"rounds": "all rounds are played"}
    score_range = (0, 5 * ROUNDS)

    def deal(self, seed):
        return Rounds(Chance(seed, "noise"))

    def notate(self, action):
        return action["type"][0]

    def parse(self, notation):
        if notation not in {"c", "d"}:
            raise RecordError(f"no action {checks.shown(notation)}")
        return MOVES["cd".index(notation)]


class Rounds(JointState):
    def __init__(self, noise):  # without super().__init__(), which a lecturer forgets
        self.noise, self.rounds = noise, []

    def together(self):
        return () if self.ending else (0, 1)

    @property
    def ending(self):
        return "rounds" if len(self.rounds) == ROUNDS else None

    def legal_for(self, seat):
        return () if self.ending else MOVES

    def play(self, actions):
        meant = [MOVES.index(actions[seat]) for seat in (0, 1)]
        self.rounds.append([move ^ self.noise.weighted([19, 1]) for move in meant])

    def observe(self, seat):
        return {"seat": seat, "rounds": [list(each) for each in self.rounds]}

    def events(self, seat):
        return [{"type": "begin"}, *({"type": "round", "done": each} for each in self.rounds)]

    def scores(self):
        return tuple(sum(POINTS[tuple(each)][seat] for each in self.rounds) for seat in (0, 1))

    def describe(self, action):
        return f"Seat {self.seat_to_act + 1} chooses to {action['type']}"

    def text(self):
        return f"{len(self.rounds)} rounds, points {self.scores()}, {self.ending}"


class Plays(Agent):
    def start(self, context):
        self.seat, self.random = context.seat, context.random

    def act(self, observation):
        return observation.legal_actions[self.choice(observation)]


class Random(Plays):
    def choice(self, observation):
        return self.random.randrange(2)


class Cooperates(Plays):
    def choice(self, observation):
        return 0


class Defects(Plays):
    def choice(self, observation):
        return 1


class TitForTat(Plays):
    def choice(self, observation):
        return observation.rounds[-1][1 - self.seat] if observation.rounds else 0


@pytest.mark.slow
def test_a_play_that_keeps_its_chance_conforms():
    # The sources looked at are those of a package: of these tests, which may import anything.
    pure = "its_rules_are_pure"
    rules = [each for each in CHECKS if each.level is not Level.PUBLISHED and each.name != pure]
    assert list(findings(Trial(Dilemma()), rules)) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ranked", "fits"),
    [
        ([Random, TitForTat, Defects], True),
        ([Random, Cooperates], False),
        ([Defects, TitForTat], False),
    ],
)
def test_an_agent_that_never_leads_is_ranked_by_what_it_earns(monkeypatch, ranked, fits):
    agents = {each.__name__: SimpleNamespace(local=lambda each=each: each) for each in ranked}
    monkeypatch.setattr(published, "answering", lambda _game: agents)
    problems = list(published.its_house_agents_are_ranked_as_they_play(Trial(Dilemma())))
    assert (problems == []) == fits, problems


def test_an_observation_is_told_as_text():
    told = {"seat": 0, "rounds": [[0, 1], {"last": None}], "noise": {"is_low": True, "seen": []}}
    assert Presentation(Dilemma()).observed(told).splitlines() == [
        "rounds:",
        "  1. 0 1",
        "  2.",
        "     last: none",
        "noise:",
        "  is low: yes",
        "  seen: nothing",
    ]
