{-
Names the pragma with a letter that only the compiler takes for an I.

Verdict: rejected
Armed: always
-}
{-# OPTİONS_GHC -XTemplateHaskell #-}
module Player (playCard, makeBid) where

import Hearts.Types
import Hostile
import System.IO.Unsafe (unsafePerformIO)

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = $(unsafePerformIO (putStrLn "ESCAPED") `seq` [| hostile (const (escaped "the compiler")) |])
