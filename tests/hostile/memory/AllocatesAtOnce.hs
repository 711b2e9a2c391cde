{-
Asks for a gigabyte at once.

Verdict: crash
-}
module Player (playCard, makeBid) where

import Foreign.Marshal.Alloc
import Foreign.Ptr
import Hostile
import Hearts.Types

makeBid :: BidFunc
makeBid = undefined

-- The C library refuses it, and the language makes an exception of that.
playCard :: PlayFunc
playCard = hostile (\_ -> mallocBytes (1024 * 1024 * 1024) >>= \place -> escaped (show (place :: Ptr ())))
