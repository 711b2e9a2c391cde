"""Games that courses set, each a folder of its own: rules, and the house agents that play it."""
