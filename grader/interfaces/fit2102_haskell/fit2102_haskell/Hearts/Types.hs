{-# LANGUAGE PackageImports #-}
-- | The types of the game.
module Hearts.Types
  ( PlayerId
  , Trick
  , PlayFunc
  , BidFunc
  , Cards.Card (..)
  , Cards.Rank (..)
  , Cards.Suit (..)
  ) where

import Cards
import "base" Prelude

-- | Who plays.
type PlayerId = String

-- | The cards of a trick and who played them, newest first.
type Trick = [(Card, PlayerId)]

-- | A player: its own name, its hand, the trick so far, the trick before that with what the player
-- remembered then ('Nothing' in the first trick of a hand); its card, and what it wants to remember.
type PlayFunc
  = PlayerId
  -> [Card]
  -> [(Card, PlayerId)]
  -> Maybe ([(Card, PlayerId)], String)
  -> (Card, String)

-- | Bids belong to another game; in this one nobody calls such a function.
type BidFunc
  = Card
  -> [PlayerId]
  -> [Card]
  -> Maybe ([(PlayerId, Int)], String)
  -> [(PlayerId, Int)]
  -> (Int, String)
