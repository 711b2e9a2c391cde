-- | The engine's own: players may import it, and find nothing that they need.
module Game () where
