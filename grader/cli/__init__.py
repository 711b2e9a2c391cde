"""The command line: what students, and people who look into grades, use on their own computers."""

from grader.cli.main import main

__all__ = ["main"]
