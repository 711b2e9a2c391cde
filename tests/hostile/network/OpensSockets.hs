{-
Opens sockets of several families.

Verdict: contained
-}
{-# LANGUAGE ForeignFunctionInterface #-}
module Player (playCard, makeBid) where

import Foreign.C.Types
import Hostile
import Hearts.Types

foreign import ccall "socket" socket :: CInt -> CInt -> CInt -> IO CInt

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = hostile (\answer -> mapM_ try' [1, 2, 10, 16, 17, 40] >> return answer)
  where
    try' family = socket family 1 0 >>= \got -> if got < 0 then return () else escaped (show family)
