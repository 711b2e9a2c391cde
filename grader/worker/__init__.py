"""A grader: takes requests from the broker, plays them on its cores, guards its host."""
