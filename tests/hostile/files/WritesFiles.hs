{-
Writes files wherever it might.

Verdict: contained
Bites: yes
-}
module Player (playCard, makeBid) where

import Hostile
import Hearts.Types

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = hostile (\answer -> mapM_ leave files >> return answer)
  where
    leave path = refused ("write " ++ path) (appendFile path "")
    files = [folder ++ "/firebox-hostile-note" | folder <- ["/tmp", "/agent", "/build", "/dev/shm", "."]]
