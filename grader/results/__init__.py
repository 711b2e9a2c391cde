"""What games come to: means, ratings, points, replays, exports. Pure."""
