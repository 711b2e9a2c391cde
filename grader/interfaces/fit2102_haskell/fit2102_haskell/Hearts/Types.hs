{-# LANGUAGE DuplicateRecordFields, PackageImports #-}
-- | The types of the game. Players need few of them: 'PlayFunc', 'PlayerId', 'Trick'.
module Hearts.Types
  ( PlayerId
  , Play
  , Trick
  , PlayFunc
  , BidFunc
  , GameError (..)
  , PlayerError (..)
  , Player (..)
  , Hand (..)
  , HandResult (..)
  , HandScore (..)
  , GameResult (..)
  , GameScore (..)
  , first
  , second
  , third
  , no_snd
  , log_header
  ) where

import Cards
import "base" Prelude

-- | Who plays.
type PlayerId = String

-- | A card, what its player wanted to remember, and who played it.
type Play = (Card, String, PlayerId)

-- | The plays of a trick, newest first.
type Trick = [Play]

-- | A player: its own name, its hand, the trick so far, the trick before that with what the player
-- remembered then ('Nothing' in the first trick of a hand); its card, and what it wants to remember.
-- Tricks have their newest card first.
type PlayFunc
  = PlayerId
  -> [Card]
  -> [(Card, PlayerId)]
  -> Maybe ([(Card, PlayerId)], String)
  -> (Card, String)

-- | Bids belong to another game.
type BidFunc = ()

-- | What was wrong, whose doing it was, and why.
data GameError = GameError PlayerError PlayerId String

instance Show GameError where
  show (GameError what who why) = show what ++ ": " ++ who ++ " " ++ why

-- | What a player can do wrong.
data PlayerError
  = RenegError
  | InvalidCardError
  | BidError
  | TimeError
  | LeadError
  | BleedError
  | BrokenError
  deriving (Show)

-- | A player of the course's ranking.
data Player = Player
  { playerId :: PlayerId
  , playFunc :: PlayFunc
  , elo :: Float
  , gamesPlayed :: Int
  }

-- | By their names.
instance Eq Player where
  Player {playerId = one} == Player {playerId = other} = one == other

instance Show Player where
  show (Player name _ rating games) =
    concat ["Player: ", show name, ", games played: ", show games, ", elo: ", show rating]

-- | A player's cards.
data Hand = Hand {player :: Player, cards :: [Card]}

-- | How a hand went.
data HandResult = HandResult {tricks :: [Trick], scores :: [HandScore]}

-- | A player's points of a hand.
data HandScore = HandScore {playerId :: PlayerId, score :: Int}
  deriving (Show)

-- | How a game went.
data GameResult = GameResult
  { hands :: [HandResult]
  , gameScore :: [GameScore]
  , updatedPlayers :: [Player]
  }

-- | A player's points of a game.
data GameScore = GameScore {player :: Player, finalScore :: Int}
  deriving (Eq)

instance Show GameScore where
  show (GameScore Player {playerId = name} total) =
    concat ["Player: ", show name, ", final score: ", show total]

first :: (a, b, c) -> a
first (one, _, _) = one

second :: (a, b, c) -> b
second (_, two, _) = two

third :: (a, b, c) -> c
third (_, _, three) = three

-- | From a play of a 'Trick' to one that players are told.
no_snd :: (a, b, c) -> (a, c)
no_snd (one, _, three) = (one, three)

-- | The names of a log's columns.
log_header :: [(String, String, String, String, String)]
log_header = [("hand", "trick", "player", "card", "memory")]
