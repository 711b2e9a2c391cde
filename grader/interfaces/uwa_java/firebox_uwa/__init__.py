"""The entries of agents in Java that are written against ``hanabAI``. Standard library only."""
