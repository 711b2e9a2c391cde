{-# LANGUAGE Trustworthy #-}
{-# OPTIONS_GHC -Wall -Wno-name-shadowing #-}
-- | Uses all that agents may import: modules of the course, and the libraries.
module Player (playCard, makeBid) where

import Cards
import Control.Monad.State
import Data.Foldable (toList)
import Data.List (minimumBy, sort, (\\))
import qualified Data.Map as Map
import Data.Maybe (fromMaybe)
import Data.Ord (comparing)
import Data.Tree
import Deck
import Hearts.Rules
import Hearts.Types
import Helpers.Memory
import System.Random

makeBid :: BidFunc
makeBid = undefined

-- | Counts, in a state, what is still out; prefers cards that the rest beats.
playCard :: PlayFunc
playCard me hand trick before = evalState choose start
  where
    start = maybe begin (recall . snd) before
    choose = do
      modify (noteTrick (maybe [] fst before))
      seen <- gets seenCards
      broken <- gets heartsBroken
      let earlier = maybe [] (const [[Card Heart Two | broken]]) before
          allowed = [card | card <- hand, Right _ <- [validPlay card me hand (map fst trick) earlier]]
          out = sortedDeck \\ (seen ++ hand)
          risk card = (fromMaybe 0 (Map.lookup (suitOf card) (beats card out)), draw card)
      memory <- gets remember
      return (minimumBy (comparing risk) allowed, memory)
    suitOf (Card suit _) = suit
    beats card out = Map.fromListWith (+) [(suitOf other, 1 :: Int) | other <- out, other < card]
    draw card = fst (randomR (0, 9 :: Int) (mkStdGen (fromEnum (length me) + points card)))
    points card = cardPoints card + length (toList (options card))
    options card = Node card [Node other [] | other <- sort (take 3 hand), not (reneges card other)]
    reneges card other = reneging other hand (suitOf card) [card]
