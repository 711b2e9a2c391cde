"""Pretends to be the real one."""

SHADOW = True
