-- | Checks all that it is told, and fails if anything is not as the course promises.
module Player where

import Cards
import Data.List (nub, (\\))
import Hearts.Rules
import Hearts.Types

makeBid = undefined

-- | Everything that it was told, in the order of the hand's tricks, and its own cards at the deal.
data Story = Story
  { name :: PlayerId
  , dealt :: [Card]
  , played :: [[(Card, PlayerId)]]
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
      Just (previous, memory) -> (read memory) { played = previous : played (read memory) }
    players = if null (played told) then 0 else length (head (played told))
    check
      | name told /= me = error "its name has changed"
      | strange told /= strangeText = error "the memory is not verbatim"
      | hand \\ dealt told /= [] = error "a card that was not dealt"
      | length hand + length (mine told) /= length (dealt told) = error "the hand does not shrink"
      | any (`elem` hand) (mine told) = error "a card that was played"
      | length (nub hand) /= length hand = error "a card twice"
      | any ((/= players) . length) (played told) = error "a trick with too few cards"
      | players > 0 && me `notElem` map snd (head (played told)) = error "it played in no trick"
      | not (null (played told)) && head (mine told) `notElem` map fst (head (played told)) =
          error "its own card is not in the trick before"
      | any unordered (zip (played told) (drop 1 (played told))) = error "not the winner led"
      | leads && not (null (played told)) && takerOf (head (played told)) /= me =
          error "it leads, but did not win"
      | not leads && null (played told) && fst (last trick) /= two_clubs = error "another lead"
      | length trick >= max 4 players = error "too many cards in a trick"
      | otherwise = ()
    leads = null trick
    takerOf plays = let trick' = [(each, "", who) | (each, who) <- plays] in winner (leadSuit trick') trick'
    -- The newest play comes first: whoever won a trick is last in the next one.
    unordered (now, past) = snd (last now) /= takerOf past
    earlier = map (map fst) (played told)
    allowed = [each | each <- hand, Right _ <- [validPlay each me hand (map fst trick) earlier]]
    card = last allowed
