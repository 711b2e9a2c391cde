"""Pages that learning platforms open, and those on what is sent to them."""
