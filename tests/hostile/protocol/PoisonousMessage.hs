{-
Throws an exception whose message throws one, whose message is computed for ever.

Verdict: timeout
-}
module Player (playCard, makeBid) where

import Control.Exception
import Hostile
import Hearts.Types

data Poison = Poison

instance Show Poison where
  show Poison = error (show (forever 1))

instance Exception Poison

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = hostile (\_ -> throwIO Poison)
