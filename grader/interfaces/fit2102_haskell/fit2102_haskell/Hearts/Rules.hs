{-# LANGUAGE PackageImports #-}
-- | The rules that a player may want to ask.
module Hearts.Rules
  ( leadSuit
  , winner
  , cardPoints
  , validPlay
  , reneging
  , two_clubs
  , queen_spades
  ) where

import Cards
import "base" Data.List (maximumBy)
import "base" Data.Ord (comparing)
import Hearts.Types
import "base" Prelude

-- | Leads the first trick of every hand.
two_clubs :: Card
two_clubs = Card Club Two

-- | Thirteen points.
queen_spades :: Card
queen_spades = Card Spade Queen

-- | The suit that a trick was led with; a trick has its newest card first.
leadSuit :: [(Card, PlayerId)] -> Suit
leadSuit trick = suitOf (fst (last trick))

-- | The card that takes the trick, and whose it is: the highest of the suit that was led.
winner :: [(Card, PlayerId)] -> (Card, PlayerId)
winner trick = maximumBy (comparing fst) [play | play <- trick, suitOf (fst play) == leadSuit trick]

-- | What a card costs whoever takes it.
cardPoints :: Card -> Int
cardPoints card
  | card == queen_spades = 13
  | suitOf card == Heart = 1
  | otherwise = 0

-- | Whether a card, from this hand, does not follow a suit that the hand has.
reneging :: Suit -> Card -> [Card] -> Bool
reneging suit card hand = suitOf card /= suit && any ((== suit) . suitOf) hand

-- | Whether a card of the hand may be played to the trick: given whether hearts are broken, and
-- the trick before this one, if this is not the first of the hand.
validPlay :: Bool -> Maybe [(Card, PlayerId)] -> [(Card, PlayerId)] -> [Card] -> Card -> Bool
validPlay broken before trick hand card = card `elem` hand && allowed
  where
    allowed = case (before, trick) of
      (Nothing, []) -> card == two_clubs
      (Nothing, _) -> not bleeds && follows
      (Just _, []) -> broken || suitOf card /= Heart || all ((== Heart) . suitOf) hand
      (Just _, _) -> follows
    follows = not (reneging (leadSuit trick) card hand)
    bleeds = cardPoints card > 0 && any ((== 0) . cardPoints) hand

suitOf :: Card -> Suit
suitOf (Card suit _) = suit
