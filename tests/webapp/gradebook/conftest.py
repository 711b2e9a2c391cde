"""Fixtures for the tests of grades."""

from datetime import timedelta
from decimal import Decimal

import pytest

from tests.webapp.conftest import NOW
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.services import create_assignment


@pytest.fixture
def second(assignment: Assignment, ida: User) -> Assignment:
    """Another assignment, due a week after the first, of three times its weight."""
    return create_assignment(
        course=assignment.course,
        by=ida,
        slug="second",
        title="Second",
        weight=Decimal(3),
        opens_at=NOW,
        due_at=assignment.due_at + timedelta(days=7),
    )
