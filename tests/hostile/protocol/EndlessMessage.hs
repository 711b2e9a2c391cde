{-
Throws an exception whose message does not end.

Verdict: crash
-}
module Player (playCard, makeBid) where

import Hostile
import Hearts.Types

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = hostile (\_ -> error (cycle "and so on "))
