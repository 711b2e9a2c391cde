-- | The light player, as an agent.
module Player (playCard, makeBid) where

import Light
