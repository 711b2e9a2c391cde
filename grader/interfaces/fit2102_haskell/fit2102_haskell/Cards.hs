{-# LANGUAGE PackageImports #-}
-- | Playing cards.
module Cards (Suit (..), Rank (..), Card (..)) where

import "deepseq" Control.DeepSeq (NFData (..))
import "base" Data.Char (isSpace)
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

instance NFData Suit where
  rnf suit = suit `seq` ()

instance NFData Rank where
  rnf rank = rank `seq` ()

instance NFData Card where
  rnf (Card suit rank) = rnf suit `seq` rnf rank

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
  readsPrec _ = readParen False readsShown

instance Read Rank where
  readsPrec _ = readParen False readsShown

-- | What 'show' writes.
instance Read Card where
  readsPrec _ = readParen False card
    where
      card text =
        [(Card suit rank, rest) | (suit, middle) <- readsShown text, (rank, rest) <- attached middle]
      attached middle = if any isSpace (take 1 middle) then [] else readsShown middle

-- | The value whose shown form the text begins with, after any spaces.
readsShown :: (Bounded a, Enum a, Show a) => ReadS a
readsShown text =
  [ (value, drop (length shown) begun)
  | value <- [minBound ..]
  , let shown = show value
  , shown `isPrefixOf` begun
  ]
  where
    begun = dropWhile isSpace text
