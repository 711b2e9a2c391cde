{-# LANGUAGE DuplicateRecordFields #-}
-- | Imports every module of the course, and holds it to the types and rules that it had there.
module Player where
import Cards
import Control.DeepSeq (force)
import Deck
import EitherIO
import Entries
import Game
import Hearts.Play
import Hearts.Rules
import Hearts.Types
import Logs

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard me hand trick before
  | and promises = (force (head allowed), show (earlier :: [[Card]]))
  | otherwise = error (show promises)
  where
    earlier = case before of
      Nothing -> []
      Just (previous, memory) -> map fst previous : read memory
    allowed = [card | card <- hand, Right _ <- [check card]]
    check :: Card -> Either GameError Card
    check card = validPlay card me hand (map fst trick) earlier
    plays :: Trick
    plays =
      [ (queen_spades, "", "a")
      , (Card Spade King, "", "b")
      , (Card Heart Ace, "", "c")
      , (Card Spade Two, "", "d")
      ]
    someone, other :: Player
    someone = Player me playCard 1200 0
    other = someone {elo = 1300}
    promises =
      [ leadSuit plays == Spade
      , winner Spade plays == "b"
      , map (inSuit Heart) plays == [False, False, True, False]
      , map no_snd plays == [(first play, third play) | play <- plays]
      , all (null . second) plays
      , full_score == sum (map cardPoints sortedDeck)
      , not (reneging queen_spades hand Heart [])
      , reneging queen_spades [Card Heart Two, queen_spades] Heart [Card Heart Ace]
      , not (reneging queen_spades [queen_spades] Heart [Card Heart Ace])
      , wrongs == ["LeadError", "BleedError", "BrokenError", "RenegError", "InvalidCardError"]
      , someone == other
      , finalScore (GameScore someone 3) == 3
      , [RenegError, InvalidCardError, BidError, TimeError, LeadError, BleedError, BrokenError]
          `seq` show (HandScore me 3) /= ""
      ]
    wrongs =
      [ takeWhile (/= ':') (either show show (validPlay card "x" held table past))
      | (card, held, table, past) <-
          [ (queen_spades, [queen_spades, two_clubs], [], [])
          , (queen_spades, [queen_spades, Card Diamond Two], [two_clubs], [])
          , (Card Heart Two, [Card Heart Two, queen_spades], [], [[two_clubs]])
          , (queen_spades, [queen_spades, Card Heart Two], [Card Spade Two, Card Heart Ace], [[two_clubs]])
          , (Card Heart Two, [queen_spades], [Card Diamond Ace], [[Card Heart Three]])
          ]
      ]

results :: GameResult -> [HandResult]
results = hands

dealt :: EitherIO PlayerError [Hand]
dealt = do
  deck <- liftIO shuffledDeck
  hands' <- dealAndBid 13 [] deck
  if null hands' then liftEither (Left BidError) else return hands'
