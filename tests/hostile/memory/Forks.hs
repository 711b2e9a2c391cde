{-
Calls fork.

Verdict: forbidden
-}
{-# LANGUAGE ForeignFunctionInterface #-}
module Player (playCard, makeBid) where

import Foreign.C.Types
import Hostile
import Hearts.Types

foreign import ccall "fork" fork :: IO CInt

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = hostile (\_ -> fork >>= escaped . show)
