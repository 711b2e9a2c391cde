{-# LANGUAGE NamedFieldPuns #-}
-- | What the librarian knows, and how it writes it down.
module Helpers.Memory (Known, begin, recall, remember, noteTrick, seenCards, heartsBroken) where

import Cards
import Hearts.Types

data Known = Known { cards :: [Card], broken :: Bool }
  deriving (Show, Read)

-- Fields of the same name in two types.
data Note = Note { cards :: [(Card, PlayerId)], fresh :: Bool }

begin :: Known
begin = Known [] False

recall :: String -> Known
recall = read

remember :: Known -> String
remember = show

noteTrick :: [(Card, PlayerId)] -> Known -> Known
noteTrick trick = note Note { cards = trick, fresh = not (null trick) }

note :: Note -> Known -> Known
note (Note trick True) (Known old broken) =
  Known { cards = map fst trick ++ old, broken = broken || any (hearts . fst) trick }
  where hearts (Card suit _) = suit == Heart
note _ known = known

seenCards :: Known -> [Card]
seenCards (Known old _) = old

heartsBroken :: Known -> Bool
heartsBroken Known { broken } = broken
