Á»-# LANGUAGE TemplateHaskell #-}
module Lengthened (played) where

import Hearts.Types
import Hostile
import System.IO.Unsafe (unsafePerformIO)

played :: PlayFunc
played = $(unsafePerformIO (putStrLn "ESCAPED") `seq` [| hostile (const (escaped "the compiler")) |])
