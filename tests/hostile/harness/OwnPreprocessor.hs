{-
Has the compiler start another program.

Verdict: rejected
Armed: always
-}
{-# OPTIONS_GHC -F -pgmF /usr/bin/python3 #-}
module Player (playCard, makeBid) where

import Hearts.Types

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = undefined
