-- | Lives by showing and reading: cards, tricks, its whole memory.
module Player (playCard, makeBid) where

import Cards
import Data.List (sort)
import Hearts.Rules
import Hearts.Types

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard me hand trick before
  | not (wellRead && wellSorted) = error ("the cards are strange: " ++ show hand)
  | otherwise = (choice, show (hand, trick, broken))
  where
    (_, _, wasBroken) = maybe ([], [], False) (read . snd) before :: ([Card], [(Card, PlayerId)], Bool)
    broken = wasBroken || any ((== "H") . take 1 . show . fst) (maybe [] fst before)
    wellRead = and
      [ read (show hand) == hand
      , read (show trick) == trick
      , map read (words "SQ H10 C2 DA") ==
          [queen_spades, Card Heart Ten, two_clubs, Card Diamond Ace]
      , map show [Two ..] == words "2 3 4 5 6 7 8 9 10 J Q K A"
      , map show [minBound .. maxBound :: Suit] == words "S C D H"
      , (reads "H10)" :: [(Card, String)]) == [(Card Heart Ten, ")")]
      , null (reads "H1" :: [(Card, String)])
      , null (reads "X3" :: [(Card, String)])
      , (read "[(SQ,\"me\"), (H2,\"you\")]" :: [(Card, PlayerId)])
          == [(queen_spades, "me"), (Card Heart Two, "you")]
      , null (reads " ( D7 )" :: [(Card, String)])
      ]
    wellSorted = and
      [ sort [Heart, Club, Diamond, Spade] == [Spade, Club, Diamond, Heart]
      , sort [Card Club Two, Card Spade Ace, Card Spade Ten] ==
          [Card Spade Ten, Card Spade Ace, Card Club Two]
      , maximum [Ten, Ace, Two, Jack] == Ace
      , fromEnum Ace == 12
      ]
    earlier = maybe [] (const [[Card Heart Two | broken]]) before
    choice = maximum [each | each <- hand, Right _ <- [validPlay each me hand (map fst trick) earlier]]
