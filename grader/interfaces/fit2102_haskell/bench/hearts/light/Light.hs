-- | Plays the first card that the rules allow, by suit (clubs, diamonds, spades, hearts) and rank.
-- What it needs to know of earlier tricks is in its memory: whether a heart was played. Next to no work.
module Light (
    playCard,
    makeBid
) where

import Cards
import Hearts.Types
import Hearts.Rules

import Data.List (sortOn)

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard _ hand trick Nothing = (lowest (opening hand trick), "")
playCard _ hand trick (Just (previous, memory)) = (lowest (later broken hand trick), broken)
  where
    broken
      | any (isHeart . fst) previous = "broken"
      | otherwise = memory

lowest :: [Card] -> Card
lowest = head . sortOn order
  where
    order (Card suit rank) = (lookup suit (zip [Club, Diamond, Spade, Heart] [0 :: Int ..]), rank)

opening :: [Card] -> [(Card, PlayerId)] -> [Card]
opening hand []
  | two_clubs `elem` hand = [two_clubs]
opening hand trick
  | not (null suited) = suited
  | not (null harmless) = harmless
  | otherwise = hand
  where
    suited = filter ((== suitOf (fst (last trick))) . suitOf) hand
    harmless = filter ((== 0) . cardPoints) hand

later :: String -> [Card] -> [(Card, PlayerId)] -> [Card]
later broken hand []
  | broken == "" && not (null others) = others
  | otherwise = hand
  where
    others = filter (not . isHeart) hand
later _ hand trick
  | any ((== suitOf (fst (last trick))) . suitOf) hand = filter ((== suitOf (fst (last trick))) . suitOf) hand
  | otherwise = hand

suitOf :: Card -> Suit
suitOf (Card suit _) = suit

isHeart :: Card -> Bool
isHeart = (== Heart) . suitOf
