{-
Brings a literate module, which has the compiler run code.

Verdict: rejected
Armed: always
-}
module Player (playCard, makeBid) where

import Hearts.Types
import Hostile
import Literate (ran)

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = hostile (const (escaped ran))
