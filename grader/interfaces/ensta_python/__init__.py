"""Agents of ENSTA Paris, in Python."""
