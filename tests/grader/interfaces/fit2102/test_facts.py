"""What an agent can see of the course's modules, name by name and expression by expression, as the
course has it."""

import re
from pathlib import Path
from typing import Final

import pytest

import grader.interfaces
from tests.grader.interfaces.fit2102.uploads import player, request_for
from tests.grader.interfaces.outcomes import fault_of, played
from tests.support.every import every

MODULES: Final = Path(grader.interfaces.__file__).parent / "fit2102_haskell" / "fit2102_haskell"

EXPORTS: Final = {
    "Cards": "Suit(..), Rank(..), Card(..)",
    "Deck": "Deck(..), deal, sortedDeck, shuffleList, shuffledDeck",
    "EitherIO": "EitherIO(..), liftEither, liftIO",
    "Entries": "writeTournament, readPlayers, playerScoreFile",
    "Game": "Place(..), initElo, sameField, newPlayer, oldPlayer, placesFromGameScores, "
        "computeEloChanges, updatePlayer",
    "Hearts.Play": "playGame, playUntil, hasScore, playDeck, calculateScore, playHand, startHand, "
        "rotateHands, playTricks, playTrick, playCardToTrick, chooseCard, getMemory, tallyTricks, "
        "calculateHandScores, toHandScore, gameId, scoreId, handId",
    "Hearts.Rules": "two_clubs, queen_spades, full_score, cardPoints, winner, inSuit, leadSuit, "
        "reneging, validPlay, dealAndBid",
    "Hearts.Types": "PlayerId, Play, Trick, PlayFunc, BidFunc, GameError(..), PlayerError(..), "
        "Player(..), Hand(..), HandResult(..), HandScore(..), GameResult(..), GameScore(..), "
        "first, second, third, no_snd, log_header",
    "Logs": "writeGame, clearLog, clearAllLogs",
}  # fmt: skip
"""All that each module of the course gives to those that import it."""

TYPES: Final = {
    "Card": "Suit -> Rank -> Card",
    "Deck": "Int -> [Card] -> Deck",
    "deal": "Int -> Int -> [Card] -> [[Card]]",
    "sortedDeck": "[Card]",
    "shuffleList": "[a] -> IO [a]",
    "shuffledDeck": "IO [Card]",
    "EitherIO": "IO (Either e a) -> EitherIO e a",
    "runEitherIO": "EitherIO e a -> IO (Either e a)",
    "liftEither": "Either e a -> EitherIO e a",
    "liftIO": "IO a -> EitherIO e a",
    "GameError": "PlayerError -> PlayerId -> String -> GameError",
    "Player": "PlayerId -> PlayFunc -> Float -> Int -> Player",
    "Hand": "Player -> [Card] -> Hand",
    "HandResult": "[Trick] -> [HandScore] -> HandResult",
    "HandScore": "PlayerId -> Int -> HandScore",
    "GameResult": "[HandResult] -> [GameScore] -> [Player] -> GameResult",
    "GameScore": "Player -> Int -> GameScore",
    "id @PlayFunc": "(String -> [Card] -> [(Card, String)] -> Maybe ([(Card, String)], String)"
        " -> (Card, String)) -> PlayFunc",
    "id @Trick": "[(Card, String, String)] -> [Play]",
    "id @BidFunc": "() -> ()",
    "elo": "Player -> Float",
    "gamesPlayed": "Player -> Int",
    "score": "HandScore -> Int",
    "finalScore": "GameScore -> Int",
    "hands": "GameResult -> [HandResult]",
    "gameScore": "GameResult -> [GameScore]",
    "updatedPlayers": "GameResult -> [Player]",
    "tricks": "HandResult -> [Trick]",
    "scores": "HandResult -> [HandScore]",
    "first": "(a, b, c) -> a",
    "second": "(a, b, c) -> b",
    "third": "(a, b, c) -> c",
    "no_snd": "(a, b, c) -> (a, c)",
    "log_header": "[(String, String, String, String, String)]",
    "two_clubs": "Card",
    "queen_spades": "Card",
    "full_score": "Int",
    "cardPoints": "Card -> Int",
    "winner": "Suit -> Trick -> PlayerId",
    "inSuit": "Suit -> Play -> Bool",
    "leadSuit": "Trick -> Suit",
    "reneging": "Card -> [Card] -> Suit -> [Card] -> Bool",
    "validPlay": "Card -> PlayerId -> [Card] -> [Card] -> [[Card]] -> Either GameError Card",
    "dealAndBid": "Int -> [Player] -> [Card] -> EitherIO PlayerError [Hand]",
    "newPlayer": "PlayerId -> PlayFunc -> BidFunc -> Player",
    "playGame": "Int -> [Player] -> EitherIO GameError GameResult",
}  # fmt: skip

OWN: Final = """
instance NFData Suit where rnf suit = suit `seq` ()
instance NFData Rank where rnf rank = rank `seq` ()
instance Show Hand where show (Hand _ held) = show held
instance Show GameResult where show _ = "result"
instance Show Deck where show (Deck size held) = show (size, held)
instance Eq Deck where Deck _ one == Deck _ other = one == other
instance Eq Hand where Hand _ one == Hand _ other = one == other
instance Eq GameError where one == other = show one == show other
instance Eq PlayerError where one == other = show one == show other
instance Eq HandScore where one == other = show one == show other
dealHands, shuffleDeck, suitOf, readsShown :: Int
dealHands = 1
shuffleDeck = 2
suitOf = 3
readsShown = 4
"""
"""Instances and names that the course leaves to the player's own module."""

UNREAD: Final = "Prelude.read: no parse"
FACTS: Final[dict[str, str]] = {
    # Cards.
    "[minBound .. maxBound :: Suit]": "[S,C,D,H]",
    "[minBound .. maxBound :: Rank]": "[2,3,4,5,6,7,8,9,10,J,Q,K,A]",
    "[Spade, Club, Diamond, Heart] == [minBound ..]": "True",
    "[Two, Three, Four, Five, Six, Seven, Eight, Nine, Ten, Jack, Queen, King, Ace] == [Two ..]":
        "True",
    "fromEnum Ace": "12",
    "Card Spade Queen": "SQ",
    "Card Heart Ten": "H10",
    "[Card Club Two, Card Spade Ace]": "[C2,SA]",
    "Just (Card Club Two)": "Just C2",
    "compare (Card Spade Ace) (Card Club Two)": "LT",
    "compare (Card Club Ten) (Card Club Nine)": "GT",
    'read "H10" :: Card': "H10",
    'read "[SQ,H10]" :: [Card]': "[SQ,H10]",
    'read "[(SQ,\\"me\\"), (H2,\\"you\\")]" :: [(Card, String)]': '[(SQ,"me"),(H2,"you")]',
    'read "C2 " :: Card': "C2",
    'read " C2" :: Card': UNREAD,
    'read "(C2)" :: Card': UNREAD,
    'read "C 2" :: Card': UNREAD,
    'read "[SQ, H10]" :: [Card]': UNREAD,
    'read "H1" :: Card': UNREAD,
    'read "X3" :: Card': UNREAD,
    'reads "H10)" :: [(Card, String)]': '[(H10,")")]',
    'read "D" :: Suit': "D",
    'read "10" :: Rank': "10",
    "rnf (Card Spade undefined)": "Prelude.undefined",
    "rnf (Card undefined Two)": "Prelude.undefined",
    "rnf two_clubs": "()",
    # The deck.
    "length sortedDeck": "52",
    "take 14 sortedDeck": "[S2,S3,S4,S5,S6,S7,S8,S9,S10,SJ,SQ,SK,SA,C2]",
    "sortedDeck == sort sortedDeck": "True",
    "deal 2 3 sortedDeck": "[[S2,S3],[S4,S5],[S6,S7]]",
    "map length (deal 13 4 sortedDeck)": "[13,13,13,13]",
    "concat (deal 26 2 sortedDeck) == sortedDeck": "True",
    "sort (unsafePerformIO shuffledDeck) == sortedDeck": "True",
    "unsafePerformIO shuffledDeck == sortedDeck": "False",
    "sort (unsafePerformIO (shuffleList [3, 1, 2 :: Int]))": "[1,2,3]",
    "handSize (Deck {handSize = 13, deck = []})": "13",
    "deck (Deck 13 [two_clubs])": "[C2]",
    # Errors and players.
    "[RenegError, InvalidCardError, BidError, TimeError]":
        "[RenegError,InvalidCardError,BidError,TimeError]",
    "[LeadError, BleedError, BrokenError]": "[LeadError,BleedError,BrokenError]",
    'GameError LeadError "4" "why"': "LeadError: 4 why",
    "ada": 'Player: "4", games played: 0, elo: 1200.0',
    'newPlayer "Jess" playCard ()': 'Player: "Jess", games played: 0, elo: 1200.0',
    "ada == ada {elo = 3, gamesPlayed = 7}": "True",
    'ada == Player "3" playCard 1200 0': "False",
    "GameScore ada 12": 'Player: "4", final score: 12',
    "GameScore ada 12 == GameScore ada 12": "True",
    "GameScore ada 12 == GameScore ada 13": "False",
    'HandScore "4" 3': 'HandScore {playerId = "4", score = 3}',
    "takeWhile (/= '\\n') (show (HandResult [plays] []))":
        '"[(SQ,\\"a\\"),(SK,\\"b\\"),(HA,\\"c\\"),(S2,\\"d\\")], winner: b, points: 14"',
    'HandResult [] [HandScore "4" 3]': '[HandScore {playerId = "4", score = 3}]',
    "length log_header >= 1": "True",
    "initElo": "1200.0",
    'no_snd (1 :: Int, "b", True)': "(1,True)",
    "(first (1, 2, 3), second (1, 2, 3), third (1, 2, 3))": "(1,2,3)",
    # Rules.
    "(two_clubs, queen_spades, full_score)": "(C2,SQ,26)",
    "map cardPoints [queen_spades, Card Heart Two, Card Spade King, Card Club Ace]": "[13,1,0,0]",
    "sum (map cardPoints sortedDeck)": "26",
    "leadSuit plays": "S",
    "winner Spade plays": '"b"',
    "winner Heart plays": '"c"',
    "map (inSuit Heart) plays": "[False,False,True,False]",
    "reneging queen_spades [queen_spades] Heart []": "False",
    "reneging queen_spades [Card Heart Two, queen_spades] Heart [Card Heart Ace]": "True",
    "reneging queen_spades [queen_spades] Heart [Card Heart Ace]": "False",
    "reneging (Card Heart Two) [Card Heart Two] Heart [Card Heart Ace]": "False",
    "valid two_clubs [two_clubs] [] []": "Right C2",
    "valid queen_spades [queen_spades, two_clubs] [] []": "Left LeadError",
    "valid queen_spades [queen_spades, Card Diamond Two] [two_clubs] []": "Left BleedError",
    "valid queen_spades [queen_spades, Card Heart Two] [two_clubs] []": "Right SQ",
    "valid (Card Heart Two) [Card Heart Two, queen_spades] [] [[two_clubs]]": "Left BrokenError",
    "valid (Card Heart Two) [Card Heart Two, queen_spades] [] [[Card Heart Three]]": "Right H2",
    "valid (Card Heart Two) [Card Heart Two, queen_spades] [] [[queen_spades]]":
        "Left BrokenError",
    "valid (Card Heart Two) [Card Heart Two] [] [[two_clubs]]": "Right H2",
    "valid queen_spades [queen_spades, Card Heart Two] [Card Heart Ace] [[two_clubs]]":
        "Left RenegError",
    "valid (Card Heart Two) [queen_spades] [Card Diamond Ace] [[Card Heart Three]]":
        "Left InvalidCardError",
    "dealt (dealAndBid 2 [ada, ada] sortedDeck)": "[[S2,S3],[S4,S5]]",
    # What the engine does with them.
    'sameField fst (1, "a") (1, "b")': "True",
    'length (playedBy 13 "abcd") > 3': "True",
    'all ((== 26) . sum) (playedBy 26 "ab")': "True",
    # The course's own names that this module has, too.
    "(dealHands, shuffleDeck, suitOf, readsShown)": "(1,2,3,4)",
    # What playCard is told.
    "length hand": "13",
    "two_clubs `elem` hand": "True",
    "trick": "[]",
    "before": "Nothing",
    'me `elem` ["0", "1", "2", "3"]': "True",
}  # fmt: skip
"""Haskell expressions, and what ``show`` prints of them: a value, or the exception's first line."""

IMPORTS: Final = """
import Control.DeepSeq (NFData (..))
import Control.Exception (SomeException, evaluate, try)
import Data.List (sort)
import qualified Data.Csv
import qualified Data.Vector
import qualified System.FilePath
import System.IO.Unsafe (unsafePerformIO)
import Debug.Trace (trace)
"""
HELPERS: Final = """
ada :: Player
ada = Player "4" playCard 1200 0

named :: Char -> Player
named letter = Player [letter] lowest 1200 0

lowest :: PlayFunc
lowest who held table past = (head allowed, show earlier)
  where
    earlier = maybe [] (\\(trick, old) -> map fst trick : read old) past :: [[Card]]
    allowed = [card | card <- held, Right _ <- [validPlay card who held (map fst table) earlier]]

plays :: Trick
plays =
  [ (queen_spades, "", "a"), (Card Spade King, "", "b"), (Card Heart Ace, "", "c")
  , (Card Spade Two, "", "d") ]

valid :: Card -> [Card] -> [Card] -> [[Card]] -> Either PlayerError Card
valid card held table past = case validPlay card "x" held table past of
  Left (GameError what "x" _) -> Left what
  Left wrong -> error (show wrong)
  Right same -> Right same

dealt :: EitherIO PlayerError [Hand] -> [[Card]]
dealt = map (\\(Hand _ held) -> held) . either (error . show) id . unsafePerformIO . runEitherIO

playedBy :: Int -> String -> [[Int]]
playedBy size names = either (error . show) (map (map score . scores) . hands) result
  where
    result = unsafePerformIO (runEitherIO (playGame size (map named names)))

check :: Show a => String -> String -> a -> [String]
check what expected value
  | got == expected = []
  | otherwise = ["DIFFERS: " ++ what ++ " is " ++ got ++ ", not " ++ expected]
  where
    got = either said id (unsafePerformIO (try (evaluate (length shown `seq` shown))))
    shown = show value
    said = head . lines . show :: SomeException -> String
"""


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _agent() -> bytes:
    imports = "".join(f"import {module} ({names})\n" for module, names in EXPORTS.items())
    typed = "".join(
        f"typed{at} :: {kind}\ntyped{at} = {name}\n"
        for at, (name, kind) in enumerate(TYPES.items())
    )
    facts = "".join(
        f"      , check {_quoted(what)} {_quoted(expected)} ({what})\n"
        for what, expected in FACTS.items()
    )
    return player(
        f'trace (unlines (concat [[]\n{facts}      ])) (error "END OF FACTS")',
        top=f"{imports}{IMPORTS}{HELPERS}{OWN}{typed}",
        pragmas="{-# LANGUAGE TypeApplications #-}",
    )


@every("module", EXPORTS)
def test_a_module_exports_what_it_does_in_the_course_and_nothing_else(module: str) -> None:
    text = (MODULES / f"{module.replace('.', '/')}.hs").read_text()
    header = re.search(r"^module \S+\s*\((.*?)\) where", text, re.DOTALL | re.MULTILINE)
    assert header
    exports = {name.strip() for name in re.sub(r" (?=\(\.\.\))", "", header[1]).split(",")}
    assert exports == {name.strip() for name in EXPORTS[module].split(",")}


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.usefixtures("docker_engine", "warm_sandboxes")
def test_every_expression_has_the_value_that_it_has_in_the_course() -> None:
    (result,) = played(request_for([0], turn_seconds=10.0), [_agent()])
    _, said = fault_of(result)
    assert "END OF FACTS" in said
    assert [line for line in said.splitlines() if "DIFFERS" in line] == []
    names = sum(len(listed.split(",")) for listed in EXPORTS.values())
    print(f"{len(FACTS)} expressions, {len(TYPES)} types, {names} names compared")
