"""A simulation of the queue: uploads, courses and graders, under the site's own policy.

``python -m webapp.jobs.simulation`` plays the nights in ``nights`` and writes tables and a plot.
Pure, but for that command: no clock, no database, no broker; a seed makes a night.
"""
