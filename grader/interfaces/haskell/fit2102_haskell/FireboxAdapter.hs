{-# LANGUAGE ForeignFunctionInterface #-}
-- | Calls a player. What the rest of the process sees of it are numbers.
module FireboxAdapter () where

import Cards (Card (..))
import Control.Exception
import Data.Char (ord)
import Data.IORef
import Foreign.C.Types (CInt (..))
import Foreign.Marshal.Array (peekArray)
import Foreign.Ptr (Ptr)
import Player (playCard)
import System.IO
import System.IO.Unsafe (unsafePerformIO)

foreign export ccall firebox_play
  :: CInt -> CInt -> Ptr CInt -> CInt -> Ptr CInt -> CInt -> Ptr CInt -> IO CInt

-- | What the player wanted to remember.
remembered :: IORef String
remembered = unsafePerformIO (newIORef "")
{-# NOINLINE remembered #-}

-- | Ask for a card. A card is its place in the sorted deck, a play is a card and a seat, a trick has
-- its newest play first. Without a trick before this one, what was remembered is forgotten.
-- Answers a card, or: -1, the player failed, and said how; -2, it has no memory left.
firebox_play
  :: CInt -> CInt -> Ptr CInt -> CInt -> Ptr CInt -> CInt -> Ptr CInt -> IO CInt
firebox_play seat cards hand plays trick playsBefore before = answer `catches` failures
  where
    answer = do
      held <- map cardAt <$> peekArray (fromIntegral cards) hand
      now <- tricks plays trick
      past <- tricks playsBefore before
      memory <- readIORef remembered
      let known = if null past then Nothing else Just (past, memory)
      (card, wish) <- evaluate (playCard (nameOf seat) held now known)
      number <- evaluate (placeOf card)
      writeIORef remembered =<< kept mostKept wish
      hFlush stdout
      return number
    failures =
      [ Handler (\failure -> case failure of
          HeapOverflow -> return (-2)
          StackOverflow -> failed "its stack is too deep: a recursion that never ends, or ends too late"
          other -> failed (show other))
      , Handler (\failure -> failed (displayException (failure :: SomeException)))
      ]

data TooMuchToRemember = TooMuchToRemember

instance Show TooMuchToRemember where
  show TooMuchToRemember = "what it wants to remember is longer than 64 KiB"

instance Exception TooMuchToRemember

-- | Characters that a player may remember, by the bytes that they take in UTF-8.
mostKept :: Int
mostKept = 64 * 1024

-- | The text, all of which is computed now.
kept :: Int -> String -> IO String
kept room text = go room text >> return text
  where
    go _ [] = return ()
    go left (character : rest) = do
      size <- evaluate (bytes character)
      if size > left
        then throwIO TooMuchToRemember
        else go (left - size) rest
    bytes character
      | ord character < 0x80 = 1
      | ord character < 0x800 = 2
      | ord character < 0x10000 = 3
      | otherwise = 4

-- | Say what happened; a message that cannot be computed to its end is cut there.
failed :: String -> IO CInt
failed text = do
  said <- try (mapM_ (hPutChar stderr) (take 2000 text)) :: IO (Either SomeException ())
  either (const (hPutStr stderr " […]")) return said
  hPutStr stderr "\n"
  hFlush stdout >> hFlush stderr
  return (-1)

tricks :: CInt -> Ptr CInt -> IO [(Card, String)]
tricks plays numbers = pairs <$> peekArray (2 * fromIntegral plays) numbers
  where
    pairs (card : seat : rest) = (cardAt card, nameOf seat) : pairs rest
    pairs _ = []

nameOf :: CInt -> String
nameOf = show

cardAt :: CInt -> Card
cardAt place = Card (toEnum suit) (toEnum rank)
  where
    (suit, rank) = fromIntegral place `divMod` 13

placeOf :: Card -> CInt
placeOf (Card suit rank) = fromIntegral (13 * fromEnum suit + fromEnum rank)
