"""People and how they sign in. Courses decide what people may do."""
