"""New accounts."""

import pytest
from django.db import IntegrityError, transaction

from webapp.people.accounts.models import User
from webapp.people.accounts.services import create_instructor
from webapp.people.auditlog.models import Act

PASSWORD = "fireworks at midnight"


def test_an_instructor_may_create_courses(db: None) -> None:
    user = create_instructor(email="i@uni.example", display_name="Ivy", password=PASSWORD)
    assert user.may_create_courses
    assert not user.is_staff
    act = Act.objects.get(person=user)
    assert (act.kind, act.after) == ("record.added", {"may_create_courses": True})


def test_the_database_refuses_capitals_in_addresses(ada: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=ada.pk).update(email="Ada@uni.example")
