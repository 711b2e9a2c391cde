"""The benchmark, ``make bench``: what the sandbox costs, as ratios of one run on one machine."""
