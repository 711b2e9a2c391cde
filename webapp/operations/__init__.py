"""The graders as the site knows them: what they report of themselves, for operators."""
