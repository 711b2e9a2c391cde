"""The Django site: owns the database, enqueues work for graders and records their reports."""
