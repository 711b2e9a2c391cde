{-# LANGUAGE PackageImports #-}
-- | The course's logs of games. There are no files here: nothing is written.
module Logs (writeGame, clearLog, clearAllLogs) where

import Hearts.Types
import "base" Prelude

writeGame :: FilePath -> GameResult -> IO ()
writeGame _ _ = return ()

clearLog :: FilePath -> IO ()
clearLog _ = return ()

clearAllLogs :: IO ()
clearAllLogs = return ()
