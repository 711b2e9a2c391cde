{-
Answers with something that is no card, by force.

Verdict: crash
-}
module Player (playCard, makeBid) where

import Foreign.Ptr
import Foreign.Storable
import Hostile
import Hearts.Types

makeBid :: BidFunc
makeBid = undefined

-- What has been forced to be a card ends in memory that is not there.
playCard :: PlayFunc
playCard = hostile (\answer -> poke (nullPtr `plusPtr` 8) (0 :: Int) >> return answer)
