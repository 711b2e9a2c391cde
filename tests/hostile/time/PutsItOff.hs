{-
Answers at once with a card that is still to be computed.

Verdict: timeout
-}
module Player (playCard, makeBid) where

import Hostile
import Hearts.Types

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = hostile (\(card, memory) -> return (if forever 1 == 0 then card else card, memory))
