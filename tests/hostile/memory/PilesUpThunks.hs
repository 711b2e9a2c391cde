{-
Piles up a sum that nobody has added yet, and then adds it.

Verdict: crash
Limits: turn_seconds=5.0 turn_wall_seconds=8.0
-}
module Player (playCard, makeBid) where

import Hostile
import Hearts.Types

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = hostile (\(card, _) -> return (card, show (deep 100000000)))

deep :: Integer -> Integer
deep n = if n == 0 then 0 else 1 + deep (n - 1)
