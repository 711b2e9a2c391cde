{-
Holds a list that does not end.

Verdict: memory
Limits: turn_seconds=5.0 turn_wall_seconds=8.0
-}
module Player (playCard, makeBid) where

import Hostile
import Hearts.Types

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = hostile (\(card, _) -> return (card, show (sum numbers, length numbers)))

numbers :: [Integer]
numbers = [1 ..]
