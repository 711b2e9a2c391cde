"""House agents for Hearts, weakest first."""
