"""Register, sign in, look at one's own data."""
