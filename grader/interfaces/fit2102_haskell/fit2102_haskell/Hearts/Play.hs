{-# LANGUAGE DuplicateRecordFields, PackageImports #-}
-- | A game among players, as a player may want to simulate it. The engine that grades is another.
module Hearts.Play
  ( playGame
  , playUntil
  , hasScore
  , playDeck
  , calculateScore
  , playHand
  , startHand
  , rotateHands
  , playTricks
  , playTrick
  , playCardToTrick
  , chooseCard
  , getMemory
  , tallyTricks
  , calculateHandScores
  , toHandScore
  , gameId
  , scoreId
  , handId
  ) where

import Cards
import "base" Data.List (delete)
import Deck
import EitherIO
import Game
import Hearts.Rules
import Hearts.Types
import "base" Prelude

-- | Hands of so many cards until the highest total is 100 and the lowest is one player's alone.
playGame :: Int -> [Player] -> EitherIO GameError GameResult
playGame size players = do
  results <- playUntil (hasScore 100 . calculateScore players) (playDeck size players) []
  let totals = calculateScore players results
      changes = computeEloChanges (placesFromGameScores totals)
  return (GameResult results totals (map (updatePlayer changes) players))

-- | The results so far and more of them, the newest first, until they are enough.
playUntil
  :: ([HandResult] -> Bool)
  -> EitherIO GameError HandResult
  -> [HandResult]
  -> EitherIO GameError [HandResult]
playUntil enough play results
  | enough results = return results
  | otherwise = play >>= playUntil enough play . (: results)

-- | Whether a player has so many points, and one alone has the fewest.
hasScore :: Int -> [GameScore] -> Bool
hasScore most totals = any (>= most) points && length (filter (== minimum points) points) == 1
  where
    points = map finalScore totals

-- | The points of all hands.
calculateScore :: [Player] -> [HandResult] -> [GameScore]
calculateScore players results = [GameScore one (total one) | one <- players]
  where
    total (Player who _ _ _) =
      sum [points | HandResult _ given <- results, HandScore name points <- given, name == who]

-- | A hand with a shuffled deck.
playDeck :: Int -> [Player] -> EitherIO GameError HandResult
playDeck size players = do
  Deck each shuffled <- liftIO (Deck size <$> shuffledDeck)
  dealt <- liftIO (runEitherIO (dealAndBid each players shuffled))
  liftEither (either (\what -> Left (GameError what "" "")) playHand dealt)

-- | The hand's tricks, newest first, and its scores.
playHand :: [Hand] -> Either GameError HandResult
playHand dealt = do
  played <- playTricks [] (startHand dealt)
  return (HandResult played (calculateHandScores (map handId dealt) played))

-- | In order of play, which is that of the list reversed, from the holder of the two of clubs on.
startHand :: [Hand] -> [Hand]
startHand dealt = later ++ earlier
  where
    (earlier, later) = break (\(Hand _ held) -> two_clubs `elem` held) (reverse dealt)

-- | In order of play, from this player on.
rotateHands :: PlayerId -> [Hand] -> [Hand]
rotateHands who dealt = later ++ earlier
  where
    (earlier, later) = break ((== who) . handId) dealt

-- | All tricks after these, newest first.
playTricks :: [Trick] -> [Hand] -> Either GameError [Trick]
playTricks before held
  | any (\(Hand _ left) -> null left) held = return before
  | otherwise = do
      (trick, left) <- playTrick before held
      playTricks (trick : before) (rotateHands (winner (leadSuit trick) trick) left)

-- | The next trick, and what is left of the hands.
playTrick :: [Trick] -> [Hand] -> Either GameError (Trick, [Hand])
playTrick before = go []
  where
    go trick [] = return (trick, [])
    go trick (hand : later) = do
      (longer, left) <- playCardToTrick before trick hand
      fmap (left :) <$> go longer later

-- | The trick with the next card, and what is left of the hand.
playCardToTrick :: [Trick] -> Trick -> Hand -> Either GameError (Trick, Hand)
playCardToTrick before trick hand@(Hand who held) = do
  let (chosen, memory) = chooseCard before trick hand
  card <- validPlay chosen (handId hand) held (map first trick) (map (map first) before)
  return ((card, memory, handId hand) : trick, Hand who (delete card held))

-- | A player's answer.
chooseCard :: [Trick] -> Trick -> Hand -> (Card, String)
chooseCard before trick (Hand (Player who play _ _) held) =
  play who held (map no_snd trick) (getMemory who before)

-- | The trick before, and what a player wanted to remember then.
getMemory :: PlayerId -> [Trick] -> Maybe ([(Card, PlayerId)], String)
getMemory _ [] = Nothing
getMemory who (trick : _) =
  Just (map no_snd trick, concat [memory | (_, memory, name) <- trick, name == who])

-- | Who takes each trick, and its points.
tallyTricks :: [Trick] -> [(PlayerId, Int)]
tallyTricks tricks' =
  [(winner (leadSuit trick) trick, sum (map (cardPoints . first) trick)) | trick <- tricks']

-- | The players' points; whoever takes all of them gives them to the others.
calculateHandScores :: [PlayerId] -> [Trick] -> [HandScore]
calculateHandScores names tricks' = map (toHandScore . turned) totals
  where
    totals = [(who, sum [points | (name, points) <- tallied, name == who]) | who <- names]
    tallied = tallyTricks tricks'
    turned (who, points)
      | full_score `elem` map snd totals = (who, full_score - points)
      | otherwise = (who, points)

toHandScore :: (PlayerId, Int) -> HandScore
toHandScore (who, points) = HandScore who points

-- | Whose total it is.
gameId :: GameScore -> PlayerId
gameId (GameScore (Player who _ _ _) _) = who

-- | Whose score it is.
scoreId :: HandScore -> PlayerId
scoreId (HandScore who _) = who

-- | Whose hand it is.
handId :: Hand -> PlayerId
handId (Hand (Player who _ _ _) _) = who
