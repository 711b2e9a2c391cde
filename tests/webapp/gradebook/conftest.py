"""Fixtures for the tests of grades."""

from datetime import timedelta
from decimal import Decimal

import pytest

from tests.webapp.conftest import another
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment


@pytest.fixture
def second(assignment: Assignment, ida: User) -> Assignment:
    """Another assignment, due a week after the first, of three times its weight."""
    due_at = assignment.due_at + timedelta(days=7)
    return another(assignment.course, ida, weight=Decimal(3), due_at=due_at)
