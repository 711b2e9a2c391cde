{-
Ends the process as if all were well.

Verdict: crash
-}
{-# LANGUAGE ForeignFunctionInterface #-}
module Player (playCard, makeBid) where

import Foreign.C.Types
import Hostile
import Hearts.Types

foreign import ccall "exit" leave :: CInt -> IO ()

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = hostile (\answer -> leave 0 >> return answer)
