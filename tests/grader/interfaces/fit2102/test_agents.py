"""Our own agents of this interface: which of them covers what of it.

Each plays whole games without a fault in ``test_tables``; here is looked whether all of them
together touch all there is.
"""

import re
from pathlib import Path
from typing import Final

import pytest

import grader.interfaces

AGENTS: Final = Path(__file__).parent / "agents"
MODULES: Final = Path(grader.interfaces.__file__).parent / "fit2102_haskell" / "fit2102_haskell"

COVERS: Final = {
    "the export list over several lines": ("lowest", r"module Player \(\n"),
    "cards matched as Card Suit Rank": ("lowest", r"order \(Card suit rank\)"),
    "memory that stays as it is": ("lowest", r"otherwise = memory"),
    "a type for makeBid": ("lowest", r"makeBid :: BidFunc"),
    "makeBid without a type": ("witness", r"\nmakeBid = undefined\n"),
    "Trustworthy": ("librarian", r"LANGUAGE Trustworthy"),
    "options that only warn": ("librarian", r"OPTIONS_GHC -Wall -Wno-name-shadowing"),
    "Control.Monad.State": ("librarian", r"evalState choose"),
    "Data.Map": ("librarian", r"Map\.fromListWith"),
    "Data.Tree": ("librarian", r"Node card"),
    "System.Random": ("librarian", r"mkStdGen"),
    "a module in a folder": ("librarian", r"import Helpers\.Memory"),
    "NamedFieldPuns, switched on by the project": ("librarian", r"Known \{ broken \}"),
    "fields of one name in two types": ("librarian", r"data Note = Note \{ cards"),
    "memory by show and read of a record": ("witness", r"deriving \(Show, Read\)"),
    "memory is verbatim": ("witness", r"the memory is not verbatim"),
    "nothing in the first trick of a hand": ("witness", r"Nothing -> Story me hand"),
    "the newest card comes first": ("witness", r"not the winner led"),
    "the trick before has its own card": ("witness", r"is not in the trick before"),
    "its own name stays": ("witness", r"its name has changed"),
    "the hand shrinks": ("witness", r"the hand does not shrink"),
    "cards are written and read": ("reader", r"read \(show hand\) == hand"),
    "tens have two digits": ("reader", r"H10"),
    "what is no card is not read": ("reader", r'null \(reads "H1"'),
    "the order of suits": ("reader", r"\[Spade|sort \[Heart, Club"),
    "suits and ranks are enumerations": ("reader", r"minBound \.\. maxBound :: Suit"),
    "printing, and Debug.Trace": ("recorder", r"trace .*unsafePerformIO \(putStrLn"),
    "as much memory as is allowed": ("recorder", r"replicate 65535"),
    "classes, folds and guards of its own": ("searcher", r"class Cost a.*foldl'.*guard"),
    "a lazy tree that is never whole": ("searcher", r"unfoldTree grow"),
    "every module of the course": ("scholar", r"import Game\nimport Hearts.Play.*import Logs"),
    "the engine's types and rules": ("scholar", r"Either GameError Card.*reneging"),
    "extensions of the language": ("searcher", r"BangPatterns, TupleSections.*LambdaCase"),
}
"""Every peculiarity, the agent that covers it, and where."""


def sources(agent: str) -> str:
    return "\n".join(path.read_text() for path in sorted((AGENTS / agent).rglob("*.hs")))


@pytest.mark.parametrize("what", COVERS)
def test_a_peculiarity_is_covered(what: str) -> None:
    agent, where = COVERS[what]
    assert re.search(where, sources(agent), re.DOTALL), f"{agent} no longer covers: {what}"


def test_every_agent_covers_something() -> None:
    assert {path.name for path in AGENTS.iterdir()} == {agent for agent, _ in COVERS.values()}


@pytest.mark.parametrize("module", ["Cards", "Deck", "EitherIO", "Hearts/Types", "Hearts/Rules"])
def test_every_name_that_a_module_exports_is_used(module: str) -> None:
    text = (MODULES / f"{module}.hs").read_text()
    header = re.search(r"^module .*?\) where", text, re.DOTALL | re.MULTILINE)
    assert header
    exports = re.sub(r"^module \S+", "", header[0]).replace("(..)", "")
    names = set(re.findall(r"\b[a-zA-Z_]\w+\b", exports)) - {"where", "Cards"}
    used = "\n".join(sources(path.name) for path in AGENTS.iterdir())
    assert names
    left = {name for name in names if not re.search(rf"\b{name}\b", used)}
    assert left <= {"shuffleDeck", "dealHands", "Deck"}  # for tests at home: nothing to play with
