{-
Catches every exception and goes on computing.

Verdict: timeout
-}
module Player (playCard, makeBid) where

import Control.Exception
import Hostile
import Hearts.Types

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = hostile again
  where
    again answer = (evaluate (forever 1) >> return answer) `catch` \failure ->
      const (again answer) (failure :: SomeException)
