{-
Computes for ever without allocating, where the runtime never looks up.

Verdict: timeout
-}
module Player (playCard, makeBid) where

import Hostile
import Hearts.Types

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = hostile (\(card, memory) -> spin 1 `seq` return (card, memory))
