{-
Has a type that doubles with every line, until the compiler's memory is full.

Verdict: rejected
Armed: always
-}
module Player (playCard, makeBid) where

import Hearts.Types

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = f5 undefined `seq` undefined
  where
    f0 x = (x, x)
    f1 x = f0 (f0 (f0 (f0 x)))
    f2 x = f1 (f1 (f1 (f1 x)))
    f3 x = f2 (f2 (f2 (f2 x)))
    f4 x = f3 (f3 (f3 (f3 x)))
    f5 x = f4 (f4 (f4 (f4 x)))
