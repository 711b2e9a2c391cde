"""The Django site: owns the database, enqueues work for graders and records their reports."""

import os

# Before NumPy is imported. On a busy machine its threads wait for one another more than they
# compute: the ratings of 200 agents took 1.5 s of processor time on two such cores, and take 0.1 s.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
