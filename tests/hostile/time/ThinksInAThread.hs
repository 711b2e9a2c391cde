{-
Starts a thread of the language's own that would think on while others play, and is charged for it.

Verdict: timeout
-}
module Player (playCard, makeBid) where

import Control.Concurrent
import Control.Exception
import Hostile
import Hearts.Types

makeBid :: BidFunc
makeBid = undefined

-- It runs only while its process is asked something, and that is charged.
playCard :: PlayFunc
playCard = hostile (\answer -> forkIO (evaluate (forever 1) >> return ()) >> return answer)
