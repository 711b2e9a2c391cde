"""Agents for the simulator of Lin and Xu, in Python."""
