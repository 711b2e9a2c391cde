{-
Ends the program, as it thinks.

Verdict: crash
-}
module Player (playCard, makeBid) where

import Hostile
import Hearts.Types
import System.Exit

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = hostile (\_ -> exitWith (ExitFailure 3))
