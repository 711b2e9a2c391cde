"""Lets agents of the interface ``ensta-python`` play on Firebox's wire. Runs inside the sandbox."""
