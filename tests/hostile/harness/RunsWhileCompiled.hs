{-
Has the compiler run a program of its own.

Verdict: rejected
Armed: always
-}
{-# LANGUAGE TemplateHaskell #-}
module Player (playCard, makeBid) where

import Hearts.Types

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = $(error "this runs in the compiler")
