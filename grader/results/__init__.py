"""Results of games: means, ratings, points, replays, exports. Pure."""
