"""What students upload: archives, where they are stored, what their build wrote."""
