"""Pages to register, sign in and read one's own data."""
