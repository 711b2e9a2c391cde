"""Agents against one another: leaderboards, ladders, tournaments, tables with people."""
