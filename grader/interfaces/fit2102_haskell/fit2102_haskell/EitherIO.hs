{-# LANGUAGE PackageImports #-}
-- | Actions that may end with an error.
module EitherIO (EitherIO (..), liftEither, liftIO) where

import "base" Control.Monad (ap)
import "base" Prelude

-- | An action that ends with an error or a value.
newtype EitherIO e a = EitherIO {runEitherIO :: IO (Either e a)}

instance Functor (EitherIO e) where
  fmap change = EitherIO . fmap (fmap change) . runEitherIO

instance Applicative (EitherIO e) where
  pure = EitherIO . return . Right
  (<*>) = ap

instance Monad (EitherIO e) where
  value >>= next = EitherIO (runEitherIO value >>= either (return . Left) (runEitherIO . next))

-- | An error or a value that is there already.
liftEither :: Either e a -> EitherIO e a
liftEither = EitherIO . return

-- | An action without an error.
liftIO :: IO a -> EitherIO e a
liftIO = EitherIO . fmap Right
