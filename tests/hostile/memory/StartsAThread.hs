{-
Starts a thread of the system's.

Verdict: forbidden
-}
{-# LANGUAGE ForeignFunctionInterface #-}
module Player (playCard, makeBid) where

import Foreign.C.Types
import Foreign.Marshal.Alloc
import Foreign.Ptr
import Hostile
import Hearts.Types

foreign import ccall "pthread_create" start
  :: Ptr CULong -> Ptr () -> FunPtr (IO ()) -> Ptr () -> IO CInt
foreign import ccall "&abort" body :: FunPtr (IO ())

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = hostile (\_ -> alloca (\place -> start place nullPtr body nullPtr) >>= escaped . show)
