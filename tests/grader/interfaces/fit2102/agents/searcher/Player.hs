{-# LANGUAGE BangPatterns, TupleSections #-}
{-# LANGUAGE LambdaCase #-}
{- A lazy tree of what may follow, looked at as far as is needed.
   The course's own style: records, classes, folds, and where clauses. -}
module Player (playCard, makeBid) where

import Cards
import Control.Monad (guard)
import Data.Bits (popCount, setBit, testBit)
import Data.Function (on)
import Data.IORef ()
import Data.List (foldl', maximumBy, minimumBy, partition)
import Data.Tree (Tree (..), unfoldTree)
import Hearts.Rules
import Hearts.Types
import Text.Read (readMaybe)

makeBid :: BidFunc
makeBid = undefined

class Cost a where
  cost :: a -> Int

instance Cost Card where
  cost = cardPoints

instance Cost a => Cost [a] where
  cost = foldl' (\ !sum' each -> sum' + cost each) 0

playCard :: PlayFunc
playCard me hand trick before = (best, show (seen', broken))
  where
    (seen, wasBroken) = maybe (0, False) known (snd <$> before)
    known = \case
      text | Just value <- readMaybe text -> value
           | otherwise -> error ("not what was remembered: " ++ text)
    seen' = foldl' setBit seen (map (place . fst) (maybe [] fst before)) :: Integer
    broken = wasBroken || any ((== 1) . cost . fst) (maybe [] fst before)
    earlier = maybe [] (const [[Card Heart Two | broken]]) before
    allowed = [card | card <- hand, Right _ <- [validPlay card me hand (map fst trick) earlier]]
    best = minimumBy (compare `on` value) allowed
    value card = worst 2 (futures card)
    -- After a card the others may play any that are out, in turn.
    futures card = unfoldTree grow ((card, me) : trick)
    grow played = (played, do
      other <- out
      guard (other `notElem` map fst played)
      return ((other, "?") : played))
    out = take 6 [card | card <- deck, not (testBit seen' (place card)), card `notElem` hand]
    worst :: Int -> Tree [(Card, PlayerId)] -> Int
    worst depth (Node played following)
      | depth == 0 || null following = mine played
      | otherwise = maximum (map (worst (depth - 1)) following)
    mine :: [(Card, PlayerId)] -> Int
    mine played
      | takerOf [(card, "", who) | (card, who) <- played] == me =
          10 * cost (map fst played) + popCount seen'
      | otherwise = negate (fst (keyOf (maximumBy (compare `on` keyOf) (map fst played))))
    takerOf :: Trick -> PlayerId
    takerOf plays = winner (leadSuit plays) plays
    keyOf card = (fromEnum (rankOf card), place card)
    rankOf :: Card -> Rank
    rankOf (Card _ rank) = rank
    deck = (\suit -> map (suit,) [minBound ..]) <$> [minBound ..] >>= map (uncurry Card)
    place (Card suit rank) = 13 * fromEnum suit + fromEnum rank
    _unused = partition even [1 :: Int]
