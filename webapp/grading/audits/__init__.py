"""Replay audits: sampled games of an agent are played again; nothing but a look depends on them."""
