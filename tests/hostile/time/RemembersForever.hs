{-
Leaves a memory whose computation would begin on somebody else's turn.

Verdict: timeout
-}
module Player (playCard, makeBid) where

import Hostile
import Hearts.Types

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = hostile (\(card, memory) -> return (card, memory ++ show (forever 1)))
