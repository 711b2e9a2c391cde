{-
Starts a shell.

Verdict: forbidden
-}
{-# LANGUAGE ForeignFunctionInterface #-}
module Player (playCard, makeBid) where

import Foreign.C.String
import Foreign.C.Types
import Hostile
import Hearts.Types

foreign import ccall "system" system :: CString -> IO CInt

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = hostile (\_ -> withCString "true" system >>= escaped . show)
