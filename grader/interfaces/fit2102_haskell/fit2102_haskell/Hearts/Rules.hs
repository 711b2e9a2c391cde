{-# LANGUAGE DuplicateRecordFields, PackageImports #-}
{-# OPTIONS_GHC -Wno-orphans #-}
-- | The rules that a player may want to ask.
module Hearts.Rules
  ( two_clubs
  , queen_spades
  , full_score
  , cardPoints
  , winner
  , inSuit
  , leadSuit
  , reneging
  , validPlay
  , dealAndBid
  ) where

import Cards
import "base" Data.List (maximumBy)
import "base" Data.Ord (comparing)
import Deck
import EitherIO
import Hearts.Types
import "base" Prelude

-- | Leads the first trick of every hand.
two_clubs :: Card
two_clubs = Card Club Two

-- | Thirteen points.
queen_spades :: Card
queen_spades = Card Spade Queen

-- | The points of a hand; whoever takes all of them gives them to the others.
full_score :: Int
full_score = 26

-- | What a card costs whoever takes it.
cardPoints :: Card -> Int
cardPoints card
  | card == queen_spades = 13
  | suitOf card == Heart = 1
  | otherwise = 0

-- | Who takes a trick: whoever played the highest card of the suit.
winner :: Suit -> Trick -> PlayerId
winner suit = third . maximumBy (comparing first) . filter (inSuit suit)

-- | Whether a play is of the suit.
inSuit :: Suit -> Play -> Bool
inSuit suit = (== suit) . suitOf . first

-- | The suit that a trick was led with; a trick has its newest card first.
leadSuit :: Trick -> Suit
leadSuit = suitOf . first . last

-- | Whether a card, from this hand, does not follow the suit that was led, which the hand has. Given
-- the cards of the trick so far: whoever leads follows nobody.
reneging :: Card -> [Card] -> Suit -> [Card] -> Bool
reneging _ _ _ [] = False
reneging card hand suit _ = suitOf card /= suit && any ((== suit) . suitOf) hand

-- | The card, if a player may play it from a hand to the trick so far, after these tricks of the hand.
-- All have their newest card first.
validPlay :: Card -> PlayerId -> [Card] -> [Card] -> [[Card]] -> Either GameError Card
validPlay card who hand trick before
  | opens && card /= two_clubs = wrong LeadError "must lead the two of clubs"
  | null before && bleeds = wrong BleedError "played points in the first trick"
  | null trick && unbroken = wrong BrokenError "led hearts before they were broken"
  | not (null trick) && reneging card hand (suitOf (last trick)) trick =
      wrong RenegError "did not follow suit"
  | card `notElem` hand = wrong InvalidCardError "does not have this card"
  | otherwise = Right card
  where
    wrong what why = Left (GameError what who (why ++ ": " ++ show card))
    opens = null before && null trick
    bleeds = cardPoints card > 0 && any ((== 0) . cardPoints) hand
    unbroken = suitOf card == Heart && not broken && any ((/= Heart) . suitOf) hand
    broken = any (any ((== Heart) . suitOf)) before

-- | The hands of the players, of so many cards each; nobody bids.
dealAndBid :: Int -> [Player] -> [Card] -> EitherIO PlayerError [Hand]
dealAndBid size players deck' = return (zipWith Hand players (deal size (length players) deck'))

-- | A line for each trick, then the scores.
instance Show HandResult where
  show (HandResult played points) = unlines (map line played) ++ show points
    where
      line trick = show (map no_snd trick) ++ ", winner: " ++ winner (leadSuit trick) trick
        ++ ", points: " ++ show (sum (map (cardPoints . first) trick))

suitOf :: Card -> Suit
suitOf (Card suit _) = suit
