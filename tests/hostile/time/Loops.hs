{-
Computes for ever, and allocates as it goes.

Verdict: timeout
-}
module Player (playCard, makeBid) where

import Hostile
import Hearts.Types

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = hostile (\(card, memory) -> if forever 1 == 0 then return (card, memory) else escaped "time")
