"""Tournaments: an assignment's agents at tables with one another. The pure part is the grader's."""
