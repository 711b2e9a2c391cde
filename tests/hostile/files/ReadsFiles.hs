{-
Reads files while it only seems to compute.

Verdict: contained
Bites: yes
-}
module Player (playCard, makeBid) where

import Hostile
import Hearts.Types

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = hostile (\answer -> mapM_ look files >> return answer)
  where
    look path = refused ("read " ++ path) (readFile path >>= \text -> length text `seq` return ())
    files =
      [ "/etc/passwd", "/proc/self/environ", "/proc/1/cmdline", "/adapter/firebox_haskell/fit2102.py"
      , "/run/firebox/socket", "/sys/kernel/notes", "/usr/lib/ghc/settings" ]
