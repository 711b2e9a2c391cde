{-# LANGUAGE PackageImports #-}
-- | The deck.
module Deck (Deck, sortedDeck, shuffledDeck, shuffleDeck, dealHands) where

import Cards
import "base" Data.List (sortOn)
import "base" Prelude
import "random" System.Random (RandomGen, newStdGen, randoms)

-- | Cards, the top one first.
type Deck = [Card]

-- | All 52 cards, by suit and rank.
sortedDeck :: Deck
sortedDeck = Card <$> [minBound ..] <*> [minBound ..]

-- | All 52 cards in any order.
shuffledDeck :: IO Deck
shuffledDeck = flip shuffleDeck sortedDeck <$> newStdGen

-- | The same cards in another order.
shuffleDeck :: RandomGen g => g -> Deck -> Deck
shuffleDeck generator = map snd . sortOn fst . zip (randoms generator :: [Int])

-- | So many hands, dealt one card after the other; what does not go round is left out.
dealHands :: Int -> Deck -> [[Card]]
dealHands players cards
  | players <= 0 = []
  | otherwise = [everySecond (drop player dealt) | player <- [0 .. players - 1]]
  where
    dealt = take (length cards - length cards `mod` players) cards
    everySecond [] = []
    everySecond (card : rest) = card : everySecond (drop (players - 1) rest)
