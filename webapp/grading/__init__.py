"""From an upload to a grade: submissions, evaluations, the queue, graders, the gradebook."""
