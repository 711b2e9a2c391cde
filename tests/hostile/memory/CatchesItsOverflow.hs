{-
Catches the exception that tells it of its full heap, and fills it again.

Verdict: memory
Limits: turn_seconds=9.0 turn_wall_seconds=12.0
-}
module Player (playCard, makeBid) where

import Control.Exception
import Hostile
import Hearts.Types

makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard = hostile (\answer -> again (10 :: Int) answer)
  where
    again tries answer
      | tries == 0 = escaped "memory"
      | otherwise = do
          outcome <- try (evaluate (sum numbers + fromIntegral (length numbers)))
          case outcome of
            Left failure -> const (again (tries - 1) answer) (failure :: SomeException)
            Right _ -> return answer

numbers :: [Integer]
numbers = [1 ..]
