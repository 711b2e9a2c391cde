{-# LANGUAGE MagicHash, PackageImports, UnliftedFFITypes #-}
{-# OPTIONS_GHC -fignore-interface-pragmas #-}
-- | Calls a player. What the rest of the process sees of it are numbers.
module FireboxAdapter () where

import Cards (Card (..))
import "base" Control.Concurrent (ThreadId, mkWeakThreadId, myThreadId)
import "base" Control.Exception
import "base" Data.Char (ord)
import "base" Data.IORef
import "base" Foreign.C.Types (CInt (..))
import "base" Foreign.Marshal.Array (peekArray)
import "base" Foreign.Ptr (Ptr)
import "base" GHC.Exts (Weak#)
import "base" GHC.Weak (Weak (..))
import Hearts.Types (PlayerId)
import Player (playCard)
import "base" Prelude
import "base" System.CPUTime (getCPUTime)
import "base" System.IO
import "base" System.IO.Unsafe (unsafePerformIO)

foreign import ccall unsafe firebox_watch :: IO CInt
foreign import ccall unsafe firebox_unwatch :: IO ()
foreign import ccall unsafe firebox_out_of_memory :: IO CInt
foreign import ccall unsafe "rts_setMainThread" setMainThread :: Weak# ThreadId -> IO ()
foreign export ccall firebox_play
  :: CInt -> CInt -> Ptr CInt -> CInt -> Ptr CInt -> CInt -> Ptr CInt -> IO CInt

-- | What the player wanted to remember.
remembered :: IORef String
remembered = unsafePerformIO (newIORef "")
{-# NOINLINE remembered #-}

-- | Ask for a card. A card is its place in the sorted deck, a play is a card and a seat, a trick has
-- its newest play first. Without a trick before this one, what was remembered is forgotten.
-- Answers a card; or -1, when the player failed, and said how. Without memory the process ends.
firebox_play
  :: CInt -> CInt -> Ptr CInt -> CInt -> Ptr CInt -> CInt -> Ptr CInt -> IO CInt
firebox_play seat cards hand plays trick playsBefore before = do
  hearOfMemory
  mapM_ (`hSetEncoding` utf8) [stdout, stderr]
  held <- map cardAt <$> peekArray (fromIntegral cards) hand
  now <- tricks plays trick
  past <- tricks playsBefore before
  memory <- readIORef remembered
  let known = if null past then Nothing else Just (past, memory)
  question <- newIORef (Question (nameOf seat) held now known)
  let ask = answer question
  began <- getCPUTime
  ask `catch` \failure -> do
    ended <- getCPUTime
    if ended - began < shortTime && thrown failure then sayWhere ask else return ()
    explained failure

-- | Have this thread be told when memory runs out; a program's main function would see to that.
hearOfMemory :: IO ()
hearOfMemory = do
  Weak thread <- mkWeakThreadId =<< myThreadId
  setMainThread thread

-- | A trick as players are told it, newest card first.
type Told = [(Card, PlayerId)]

data Question = Question PlayerId [Card] Told (Maybe (Told, String))

-- | One answer. Asked again, the player computes it again: what it computes depends on what is read.
answer :: IORef Question -> IO CInt
answer question = do
  Question me hand trick before <- readIORef question
  (card, wish) <- evaluate (playCard me hand trick before)
  number <- evaluate (placeOf card)
  writeIORef remembered =<< kept mostKept wish
  hFlush stdout
  return number

-- | In picoseconds: a player that took longer is not asked again.
shortTime :: Integer
shortTime = 200 * 1000 * 1000 * 1000

-- | Whether the player has thrown it, and not the runtime for want of memory.
thrown :: SomeException -> Bool
thrown failure = case fromException failure of
  Just asynchronous -> const False (asynchronous :: SomeAsyncException)
  Nothing -> True

-- | Ask again, to see where in the player's files it throws what it has thrown.
sayWhere :: IO CInt -> IO ()
sayWhere ask = do
  hFlush stdout >> hFlush stderr
  watching <- firebox_watch
  if watching == 0 then return () else do
    _ <- try ask :: IO (Either SomeException CInt)
    firebox_unwatch

-- | Say what was thrown.
explained :: SomeException -> IO CInt
explained failure = case fromException failure of
  Just HeapOverflow -> firebox_out_of_memory
  Just StackOverflow -> failed "stack overflow: a recursion that never ends, or ends too late"
  _ -> failed (displayException failure)

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
  either (const (hPutStr stderr " [...]")) return said
  hPutStr stderr "\n"
  hFlush stdout >> hFlush stderr
  return (-1)

tricks :: CInt -> Ptr CInt -> IO Told
tricks plays numbers = pairs <$> peekArray (2 * fromIntegral plays) numbers
  where
    pairs (card : seat : rest) = (cardAt card, nameOf seat) : pairs rest
    pairs _ = []

nameOf :: CInt -> PlayerId
nameOf = show

cardAt :: CInt -> Card
cardAt place = Card (toEnum suit) (toEnum rank)
  where
    (suit, rank) = fromIntegral place `divMod` 13

placeOf :: Card -> CInt
placeOf (Card suit rank) = fromIntegral (13 * fromEnum suit + fromEnum rank)
