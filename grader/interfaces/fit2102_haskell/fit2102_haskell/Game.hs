{-# LANGUAGE DuplicateRecordFields, PackageImports #-}
-- | The course's ranking of players.
module Game
  ( Place (..)
  , initElo
  , sameField
  , newPlayer
  , oldPlayer
  , placesFromGameScores
  , computeEloChanges
  , updatePlayer
  ) where

import "base" Data.Function (on)
import Hearts.Types
import "base" Prelude

-- | Where a player came in a game, the first being 1, and its rating before.
data Place = Place {playerId :: PlayerId, place :: Int, eloPre :: Float}

-- | The rating of a player without games.
initElo :: Float
initElo = 1200

-- | Whether two values have the same in a field.
sameField :: Eq b => (a -> b) -> a -> a -> Bool
sameField = on (==)

-- | A player without games.
newPlayer :: PlayerId -> PlayFunc -> BidFunc -> Player
newPlayer name play bid = oldPlayer name play bid initElo 0

-- | A player with a rating from so many games.
oldPlayer :: PlayerId -> PlayFunc -> BidFunc -> Float -> Int -> Player
oldPlayer name play _ = Player name play

-- | The fewest points come first; equal points share a place.
placesFromGameScores :: [GameScore] -> [Place]
placesFromGameScores scores' = [Place name (1 + better total) rating | GameScore (Player name _ rating _) total <- scores']
  where
    better total = length (filter (< total) (map finalScore scores'))

-- | By how much each player's rating changes, compared with each of the others.
computeEloChanges :: [Place] -> [(PlayerId, Float)]
computeEloChanges places = [(name one, sum (map (change one) (others one))) | one <- places]
  where
    name (Place who _ _) = who
    others one = filter ((/= name one) . name) places
    weight = 32 / fromIntegral (max 1 (length places - 1))
    change (Place _ at rating) (Place _ at' rating') = weight * (result - expected)
      where
        result = case compare at at' of { LT -> 1; EQ -> 0.5; GT -> 0 }
        expected = 1 / (1 + 10 ** ((rating' - rating) / 400))

-- | The player after a game with these changes.
updatePlayer :: [(PlayerId, Float)] -> Player -> Player
updatePlayer changes (Player name play rating games) =
  Player name play (maybe rating (rating +) (lookup name changes)) (games + 1)
