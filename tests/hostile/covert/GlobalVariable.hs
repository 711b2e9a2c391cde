{-
Keeps a note for its next game in a variable that the language knows nothing of.

Verdict: contained
-}
module Player (playCard, makeBid) where

import Data.IORef
import Hostile
import Hearts.Types
import System.IO.Unsafe (unsafePerformIO)

note :: IORef Int
note = unsafePerformIO (newIORef 0)
{-# NOINLINE note #-}

makeBid :: BidFunc
makeBid = undefined

-- A second attack in the same process would find what the first one has left.
playCard :: PlayFunc
playCard = hostile $ \answer -> do
  games <- atomicModifyIORef note (\n -> (n + 1, n))
  if games > 0 then escaped "a note of an earlier game" else return answer
