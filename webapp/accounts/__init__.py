"""People: who they are and how they sign in. What they may do is the courses' business."""
