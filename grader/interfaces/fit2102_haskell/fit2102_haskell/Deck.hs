{-# LANGUAGE PackageImports #-}
-- | The deck.
module Deck (Deck (..), deal, sortedDeck, shuffleList, shuffledDeck) where

import Cards
import "base" Data.List (sortOn)
import "base" Prelude
import "random" System.Random (newStdGen, randoms)

-- | Cards, and how many of them a hand has.
data Deck = Deck {handSize :: Int, deck :: [Card]}

-- | Hands of so many cards each for so many players, each hand from consecutive cards.
deal :: Int -> Int -> [Card] -> [[Card]]
deal size players cards
  | players <= 0 = []
  | otherwise = take size cards : deal size (players - 1) (drop size cards)

-- | All 52 cards, by suit and rank.
sortedDeck :: [Card]
sortedDeck = Card <$> [minBound ..] <*> [minBound ..]

-- | The same values in any order.
shuffleList :: [a] -> IO [a]
shuffleList values = do
  generator <- newStdGen
  return (map snd (sortOn fst (zip (randoms generator :: [Int]) values)))

-- | All 52 cards in any order.
shuffledDeck :: IO [Card]
shuffledDeck = shuffleList sortedDeck
