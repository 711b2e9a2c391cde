-- | Checks all that it is told, and fails if anything is not as the course promises.
module Player (playCard, makeBid) where

import Cards
import Data.List (nub, (\\))
import Hearts.Rules
import Hearts.Types

makeBid = undefined

-- | Everything that it was told, in the order of the hand's tricks, and its own cards at the deal.
data Story = Story
  { name :: PlayerId
  , dealt :: [Card]
  , tricks :: [[(Card, PlayerId)]]
  , mine :: [Card]
  , strange :: String
  } deriving (Show, Read)

strangeText :: String
strangeText = "\"quotes\", \\ \n\t\0 \955 \x1F0A1 end"

playCard :: PlayFunc
playCard me hand trick before = check `seq` (card, show told { mine = card : mine told })
  where
    told = case before of
      Nothing -> Story me hand [] [] strangeText
      Just (previous, memory) -> (read memory) { tricks = previous : tricks (read memory) }
    players = if null (tricks told) then 0 else length (head (tricks told))
    check
      | name told /= me = error "its name has changed"
      | strange told /= strangeText = error "the memory is not verbatim"
      | hand \\ dealt told /= [] = error "a card that was not dealt"
      | length hand + length (mine told) /= length (dealt told) = error "the hand does not shrink"
      | any (`elem` hand) (mine told) = error "a card that was played"
      | length (nub hand) /= length hand = error "a card twice"
      | any ((/= players) . length) (tricks told) = error "a trick with too few cards"
      | players > 0 && me `notElem` map snd (head (tricks told)) = error "it played in no trick"
      | not (null (tricks told)) && head (mine told) `notElem` map fst (head (tricks told)) =
          error "its own card is not in the trick before"
      | any unordered (zip (tricks told) (drop 1 (tricks told))) = error "not the winner led"
      | leads && not (null (tricks told)) && snd (winner (head (tricks told))) /= me =
          error "it leads, but did not win"
      | not leads && null (tricks told) && fst (last trick) /= two_clubs = error "another lead"
      | length trick >= max 4 players = error "too many cards in a trick"
      | otherwise = ()
    leads = null trick
    -- The newest play comes first: whoever won a trick is last in the next one.
    unordered (now, earlier) = snd (last now) /= snd (winner earlier)
    allowed = filter (validPlay broken (fst <$> before) trick hand) hand
    broken = any ((== 1) . cardPoints . fst) (concat (tricks told))
    card = last allowed
