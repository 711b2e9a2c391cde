"""Games at tables: what tournaments and ladders have in common. No app: their models are theirs."""
