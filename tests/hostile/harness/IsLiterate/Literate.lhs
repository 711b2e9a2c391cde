> {-# LANGUAGE TemplateHaskell #-}
> module Literate (ran) where
> import System.IO.Unsafe (unsafePerformIO)
> ran :: String
> ran = $(unsafePerformIO (putStrLn "ESCAPED") `seq` [| "the compiler" |])
