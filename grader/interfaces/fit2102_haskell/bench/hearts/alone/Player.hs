-- | Plays games in this process as the original engine's loop does, and says how long that took. It
-- stands in for Player.hs, and that one is the module Light beside it.
module Player (playCard, makeBid) where

import Cards
import Control.Exception (evaluate)
import Data.List (foldl', sortOn)
import Data.Time.Clock (diffUTCTime, getCurrentTime)
import Deck
import Hearts.Rules
import Hearts.Types
import qualified Light
import System.IO.Unsafe (unsafePerformIO)
import System.Random

games, handsOfAGame, players :: Int
games = read (drop 8 "GAMES = 1000")
handsOfAGame = 2
players = 2

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard _ _ _ _ = unsafePerformIO $ do
  began <- getCurrentTime
  turns <- evaluate (foldl' (\sum' seed -> sum' + hand seed) 0 [1 .. games * handsOfAGame])
  ended <- getCurrentTime
  let us = round (1000000 * realToFrac (diffUTCTime ended began) :: Double) :: Int
  error ("alone: " ++ show games ++ " games, " ++ show turns ++ " turns, " ++ show us ++ " us")

-- | A player: its name, its hand, what it remembers.
type Seat = (PlayerId, [Card], Maybe String)

-- | Play one hand; how many turns it had.
hand :: Int -> Int
hand seed = played (opener seats) Nothing 0
  where
    seats = zip3 (map show [0 .. players - 1]) dealt (repeat Nothing)
    dealt = deal (52 `div` players) players (map snd (sortOn fst (zip (drawn seed) sortedDeck)))
    drawn = randoms . mkStdGen :: Int -> [Int]

-- | Those who play a trick, from its leader on.
opener :: [Seat] -> [Seat]
opener = rotated (\(_, cards, _) -> two_clubs `elem` cards)

rotated :: (Seat -> Bool) -> [Seat] -> [Seat]
rotated leads seats = let (before, rest) = break leads seats in rest ++ before

played :: [Seat] -> Maybe [(Card, PlayerId)] -> Int -> Int
played seats@((_, cards, _) : _) before turns
  | null cards = turns
  | otherwise = played (rotated (\(name, _, _) -> name == taker) after) (Just trick) (turns + players)
  where
    (trick, after) = foldl' play ([], []) seats
    taker = winner (leadSuit plays) plays
    plays = [(card, "", name) | (card, name) <- trick]
    play (sofar, done) (name, held, memory) =
      let (card, wish) = Light.playCard name held sofar ((,) <$> before <*> memory)
       in length wish `seq` ((card, name) : sofar, done ++ [(name, filter (/= card) held, Just wish)])
played [] _ turns = turns
