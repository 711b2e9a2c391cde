{-# LANGUAGE PackageImports #-}
-- | Playing cards.
module Cards (Suit (..), Rank (..), Card (..)) where

import "deepseq" Control.DeepSeq (NFData (..))
import "base" Data.List (isPrefixOf)
import "base" Prelude

-- | The suits, in the order that cards are sorted by.
data Suit = Spade | Club | Diamond | Heart
  deriving (Eq, Ord, Enum, Bounded)

-- | The ranks, lowest first.
data Rank
  = Two | Three | Four | Five | Six | Seven | Eight | Nine | Ten | Jack | Queen | King | Ace
  deriving (Eq, Ord, Enum, Bounded)

-- | A card; sorted by suit, then by rank.
data Card = Card Suit Rank
  deriving (Eq, Ord)

-- | Suits and ranks have no instance of their own: a player's module may have it.
instance NFData Card where
  rnf (Card suit rank) = suit `seq` rank `seq` ()

instance Show Suit where
  show Spade = "S"
  show Club = "C"
  show Diamond = "D"
  show Heart = "H"

instance Show Rank where
  show rank
    | rank <= Ten = show (fromEnum rank + 2)
    | otherwise = take 1 (drop (fromEnum rank - fromEnum Jack) "JQKA")

-- | A suit's letter and a rank: @SQ@, @H10@.
instance Show Card where
  show (Card suit rank) = show suit ++ show rank

instance Read Suit where
  readsPrec _ = readsShown

instance Read Rank where
  readsPrec _ = readsShown

-- | What 'show' writes, without spaces or parentheses before it.
instance Read Card where
  readsPrec _ text =
    [(Card suit rank, rest) | (suit, middle) <- readsShown text, (rank, rest) <- readsShown middle]

-- | The value whose shown form the text begins with.
readsShown :: (Bounded a, Enum a, Show a) => ReadS a
readsShown text =
  [ (value, drop (length shown) text)
  | value <- [minBound ..]
  , let shown = show value
  , shown `isPrefixOf` text
  ]
