"""The presentation of a game to people, and of a recorded play. No rules are here.

A game that draws nothing of its own is shown as text: this class. Others have a subclass in their
folder: ``PRESENTATION`` of its ``presentation.py``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Final, NamedTuple

from grader.core.games.base import Game, JsonObject, State
from grader.core.games.grids import Colour, StillGrid, changed, still_grid
from grader.core.games.scenes import Mark, Tone, plain, sentence
from grader.core.words import imperative, seat_words


@dataclass(frozen=True, slots=True, kw_only=True)
class StillCard:
    """A card as it lies on the table."""

    suit: str = ""
    """The letter of its suit; ``""`` for one that is face down."""
    colour: Colour = Colour.BACK
    """For pictures. Pages have a style for each suit."""
    rank: str = ""
    letter: str = ""
    """Printed beside the rank, where suits are told by letter."""
    path: str = ""
    """The suit's shape: an SVG path on a grid of 24 by 24."""
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StillRow:
    """Cards that lie together: a hand, a trick, piles."""

    title: str
    seat: int | None = None
    """The seat that holds them."""
    cards: tuple[StillCard, ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Still:
    """A table that does not move: a scene for pages without scripts."""

    sentence: str
    """One sentence about what was done."""
    figures: tuple[tuple[str, str], ...] = ()
    """Names and values: points, tokens."""
    rows: tuple[StillRow, ...] = ()
    grid: StillGrid = ()


class Loss(NamedTuple):
    """Some points that a seat lost at once.

    Where most points win, losses add up to the difference from the best score; where fewest points
    win, to the score.
    """

    cause: str
    """A key of ``loss_causes``."""
    points: int
    turn: int
    """The action that lost them; the last action for points that were never won."""
    place: int
    """The place in the game: the turn, or the game's own ``loss_place``."""
    card: str = ""
    """The card in words; empty if no single card caused the loss."""
    words: str = ""
    """A sentence of its own that says what happened, without a full stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """A play in another site's format, or the reason why that site cannot show it."""

    site: str
    refusal: str = ""
    """The reason why it cannot be shown there, as a sentence; empty if it can."""
    file: Mapping[str, Any] | None = None
    """The JSON that the site reads. It names no person."""
    link: str = ""
    """An address that opens the game there; empty if a link cannot carry it."""
    why_no_link: str = ""
    """The reason why it cannot, as a sentence."""
    note: str = ""
    """A sentence on what looks different there."""


def told(scene: JsonObject) -> str:
    """Return what was done in a scene and what came of it, as sentences."""
    effect = scene["effect"]
    effects = [f"{effect[:1].upper()}{effect[1:]}."] if effect else []
    return " ".join([plain(scene["said"]), *effects])


def _still_row(row: JsonObject) -> StillRow:
    cards = (
        StillCard(suit="plain", colour=Colour.PAPER, rank=face, words=face)
        if face
        else StillCard(words="face down")
        for face in row["cards"]
    )
    return StillRow(title=row["title"], seat=row["seat"], cards=tuple(cards), note=row["note"])


_SHOWN_BESIDE: Final = ("seat", "to_act")
"""Fields of observations that pages show beside the table, where seats count from 1."""


def _lines(value: JsonObject, indent: str = "") -> Iterator[str]:
    for name, each in value.items():
        label = f"{indent}{name.replace('_', ' ')}:"
        if isinstance(each, Mapping):
            yield label
            yield from _lines(each, f"{indent}  ")
        elif isinstance(each, list) and any(isinstance(item, list | Mapping) for item in each):
            yield label
            for number, item in enumerate(each, 1):
                if isinstance(item, Mapping):
                    yield f"{indent}  {number}."
                    yield from _lines(item, f"{indent}     ")
                else:
                    yield f"{indent}  {number}. {_plain_value(item)}"
        else:
            yield f"{label} {_plain_value(each)}"


def _plain_value(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(_plain_value, value)) or "nothing"
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return str(value)


class Presentation:
    """A game for viewers, for people at its seats, and for the analysis of their points."""

    loss_causes: ClassVar[Mapping[str, str]] = {}
    """The causes that ``losses`` tells apart, in words, in the order in which they are shown."""
    loss_place: ClassVar[str] = "turn"
    """The part of a game by which losses are counted: ``turn``, ``trick``."""

    def __init__(self, game: Game) -> None:
        self.game: Final = game

    def story(self, state: State) -> object:  # noqa: ARG002 - read by games that have one
        """The data of this game's own replay page; ``None`` if a replay is only text."""
        return None

    def scenes(
        self, seed: bytes, actions: Iterable[JsonObject], seat: int | None = None
    ) -> Iterator[JsonObject]:
        """Play legal actions from a deal seed; yield what a viewer shows at each deal and after
        each action (``grader.core.games.scenes``).

        With a ``seat`` they hold what that seat may know, and nothing else.
        """
        return self.show(self.game.deal(seed), actions, seat)

    def show(
        self, state: State, actions: Iterable[JsonObject], seat: int | None = None
    ) -> Iterator[JsonObject]:
        """Yield the scenes of a play that was just dealt; apply each action when it is drawn.

        The caller supplies the actions and can inspect the state between two of them.
        """
        yield self._text_scene(state, seat, None, "The deal")
        together: list[str] = []
        for action in actions:
            actor, words = state.seat_to_act, state.describe(action)
            before = self._grid(state, seat)
            state.apply(action)
            together.append(words)
            if not state.pending:
                # A seat learns of the others' actions when all have acted.
                words = words if seat is None else ", ".join(together)
                together.clear()
            yield self._text_scene(state, seat, actor, words, before)

    def still(self, scene: JsonObject, seat: int | None = None) -> Still:  # noqa: ARG002 - of games that hide cards
        """Return a scene as a grid or rows of cards; with a ``seat``, as that seat sees it."""
        view = self.game.view
        rows = tuple(map(_still_row, scene.get("rows", ())))
        return Still(sentence=told(scene), rows=rows, grid=still_grid(view, scene) if view else ())

    def seen(self, state: State, seat: int) -> str:
        """Return the table as a person at this seat sees it, as text."""
        if self.game.hides_nothing:
            return state.text()
        return self.observed(state.observe(seat))

    def observed(self, observation: JsonObject) -> str:
        """An observation as text for a person who plays the seat."""
        told = {name: value for name, value in observation.items() if name not in _SHOWN_BESIDE}
        return "\n".join(_lines(told))

    def offered(self, state: State, seat: int, action: JsonObject) -> str:
        """Describe a legal action to the person at the seat to act: ``Play card 1``."""
        if not self.game.hides_nothing:
            return self.choice(state.observe(seat), action)
        words = state.describe(action)
        act = words.removeprefix(f"{seat_words(seat)} ")
        return imperative(act) if act != words else words[:1].upper() + words[1:]

    def choice(self, observation: JsonObject, action: JsonObject) -> str:  # noqa: ARG002 - read by games that tell more
        """Describe a legal action by what its seat observes."""
        fields = [f"{name} {value}" for name, value in action.items() if name != "type"]
        return " ".join([str(action.get("type", "")), *fields]).strip().capitalize()

    def elsewhere(self, seed: bytes, actions: Iterable[JsonObject]) -> Elsewhere | None:  # noqa: ARG002 - read by games that have such a site
        """The play of legal actions from a deal seed for another site that shows games of this
        kind; ``None`` if there is no such site."""
        return None

    def losses(self, seed: bytes, actions: Iterable[JsonObject], seat: int) -> Iterator[Loss]:  # noqa: ARG002 - read by games that tell them
        """Play legal actions from a deal seed; yield where a seat loses points, in the order of the
        game. A game without this analysis yields nothing."""
        return iter(())

    def _grid(self, state: State, viewer: int | None) -> list[list[str]]:
        view = self.game.view
        return [] if view is None else view.rows(state.observe(viewer or 0))

    def _text_scene(
        self,
        state: State,
        viewer: int | None,
        actor: int | None,
        words: str,
        before: Sequence[Sequence[str]] | None = None,
    ) -> JsonObject:
        if viewer is None:
            text = state.text()
        else:
            text = self.seen(state, viewer)
            shown = (self.game.hides_nothing and not state.pending) or actor in {None, viewer}
            words = words if shown or actor is None else f"{seat_words(actor)} acts"
        grid = self._grid(state, viewer)
        drawn = {"grid": grid, "changed": [] if before is None else changed(before, grid)}
        rows = [{**asdict(row), "cards": list(row.cards)} for row in state.rows(viewer)]
        return {
            "seat": actor,
            "to_act": state.seat_to_act,
            "said": sentence([words]),
            "brief": [words if actor is None else words.removeprefix(f"{seat_words(actor)} ")],
            "effect": "",
            "tone": Tone.PLAIN,
            "mark": Mark.NONE,
            "move": None if actor is None else {},
            "scores": list(state.scores()),
            "text": text,
            **(drawn if self.game.view else {}),
            **({"rows": rows} if rows else {}),
        }
