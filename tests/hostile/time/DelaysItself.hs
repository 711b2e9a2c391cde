{-
Has its thread sleep.

Verdict: idle
-}
module Player (playCard, makeBid) where

import Control.Concurrent
import Hostile
import Hearts.Types

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = hostile (\answer -> threadDelay 1000000000 >> return answer)
