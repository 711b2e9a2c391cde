-- | What the hostile agents in Haskell share: lies beside each of them when it plays.
--
-- An agent is armed in games in which the ranks of its clubs have an odd sum, and plays honestly in the
-- others, so that one batch shows both an attack and the next game on the same seat. An attempt that
-- must be refused goes through 'refused': if it succeeds, the agent fails and says so.
module Hostile (hostile, escaped, refused, forever, spin) where

import Cards
import Control.Exception
import Data.List (maximumBy)
import Data.Ord (comparing)
import Hearts.Rules
import Hearts.Types
import System.IO.Unsafe (unsafePerformIO)

-- | Plays honestly, but attacks on its second turn of an armed game. What the attack answers is played
-- and remembered.
hostile :: ((Card, String) -> IO (Card, String)) -> PlayFunc
hostile attack me hand trick before
  | armed && turn == 2 = unsafePerformIO (attack honest)
  | otherwise = honest
  where
    (turn, armed, wasBroken) = case before of
      Nothing -> (1 :: Int, odd (sum [fromEnum rank | Card Club rank <- hand]), False)
      Just (_, memory) -> let (n, a, b) = read memory in (n + 1, a, b)
    broken = wasBroken || any ((== 1) . cardPoints . fst) (maybe [] fst before)
    honest = (maximumBy (comparing order) allowed, show (turn, armed, broken))
    earlier = maybe [] (const [[Card Heart Two | broken]]) before
    allowed = [card | card <- hand, Right _ <- [validPlay card me hand (map fst trick) earlier]]
    order (Card suit rank) = (lookup suit (zip [Club, Diamond, Spade, Heart] [0 :: Int ..]), rank)

-- | The attack succeeded: fail, so that the test sees it.
escaped :: String -> IO a
escaped what = throwIO (ErrorCall ("ESCAPED: " ++ what))

-- | Try something that must end in an exception of the system's.
refused :: String -> IO a -> IO ()
refused what attempt = do
  outcome <- try attempt
  case outcome of
    Left failure -> const (return ()) (failure :: IOException)
    Right _ -> escaped what

-- | Compute until somebody ends it, and allocate.
forever :: Integer -> Integer
forever n = forever (n * 3 `mod` 1000003 + 1)

-- | Compute until somebody ends it, without ever allocating.
spin :: Int -> Int
spin n = if n == 3 then 3 else spin (n * 2 + 2)
