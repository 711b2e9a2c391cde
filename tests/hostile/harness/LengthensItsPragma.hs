{-
Has the pragma in a module that writes its brace in two bytes, which only the compiler takes for one.

Verdict: rejected
Armed: always
-}
module Player (playCard, makeBid) where

import Hearts.Types
import Lengthened

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = played
