"""Players of Monash University's FIT2102, in Haskell."""
