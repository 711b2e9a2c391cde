"""Grades: points derived from finished graded evaluations, with their whole history."""
