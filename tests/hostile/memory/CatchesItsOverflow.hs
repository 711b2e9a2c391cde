{-
Catches the exception that tells it of its full heap, and fills it again, until its time is over.

Verdict: timeout
Limits: turn_seconds=2.0 turn_wall_seconds=4.0
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
    again answer = (evaluate (sum numbers + length numbers) >> return answer) `catch` \failure ->
      const (again answer) (failure :: SomeException)
    numbers = [1 ..]
