{-
Hides what makes the compiler run code behind what looks like the beginning of another pragma.

Verdict: rejected
Armed: always
-}
-- {-# NOTE
{-# LANGUAGE TemplateHaskell #-}
module Player (playCard, makeBid) where

import Hearts.Types
import Hostile
import System.IO.Unsafe (unsafePerformIO)

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = $(unsafePerformIO (putStrLn "ESCAPED") `seq` [| hostile (const (escaped "the compiler")) |])
