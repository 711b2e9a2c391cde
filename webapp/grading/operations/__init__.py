"""The graders as the site knows them: their reports about themselves, for operators."""
