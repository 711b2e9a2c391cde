"""Graders and queues, for operators."""
