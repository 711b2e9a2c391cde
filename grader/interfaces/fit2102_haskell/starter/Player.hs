-- | A player for Hearts: avoids points, and remembers what was played.
module Player (
    playCard,
    makeBid
) where

import Cards
import Data.List (maximumBy, minimumBy)
import Data.Ord (comparing)
import Hearts.Rules
import Hearts.Types
import Text.Read (readMaybe)

-- | Not called: there are no bids in this game.
makeBid :: BidFunc
makeBid = undefined

-- | The cards that were played in earlier tricks of this hand. It travels from trick to trick as text.
type Memory = [Card]

-- | Return the card to play, and the text to remember.
playCard :: PlayFunc
playCard me hand trick before = (choose played allowed trick, show played)
  where
    played = case before of
      Nothing -> []
      Just (previous, memory) -> map fst previous ++ maybe [] id (readMaybe memory)
    earlier = maybe [] (const [played]) before
    allowed = [card | card <- hand, Right _ <- [validPlay card me hand (map fst trick) earlier]]

-- | Of the cards that the rules allow: duck under the trick if that can be done; else get rid of
-- what hurts most.
choose :: Memory -> [Card] -> [(Card, PlayerId)] -> Card
choose played allowed trick
  | null trick = minimumBy (comparing (dangerOfLead played)) allowed
  | not (follows allowed) = maximumBy (comparing worth) allowed
  | not (null losing) = maximumBy (comparing rankOf) losing
  | otherwise = maximumBy (comparing safeRank) allowed
  where
    led = suitOf (fst (last trick))
    follows = any ((== led) . suitOf)
    best = maximum [card | (card, _) <- trick, suitOf card == led]
    losing = filter (< best) (filter ((== led) . suitOf) allowed)
    -- Taking the trick anyway: high, but not with the queen of spades.
    safeRank card = (negate (cardPoints card), rankOf card)

-- | The worth of discarding a card when we cannot follow suit.
worth :: Card -> (Int, Rank)
worth card = (cardPoints card, rankOf card)

-- | How likely a lead is to take the trick: how few of the suit's cards above it are still out.
dangerOfLead :: Memory -> Card -> (Int, Rank)
dangerOfLead played card@(Card suit rank) = (cardPoints card - length above, rank)
  where
    above = [other | higher <- [rank .. Ace], let other = Card suit higher, other /= card, other `notElem` played]

suitOf :: Card -> Suit
suitOf (Card suit _) = suit

rankOf :: Card -> Rank
rankOf (Card _ rank) = rank
