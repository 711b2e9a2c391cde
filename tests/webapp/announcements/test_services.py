"""Announcements: who posts, who is notified, what is shown."""

import pytest
from django.core.exceptions import ValidationError

from tests.support.pages import signed_in
from tests.webapp.conftest import NOW
from webapp.base.errors import NotAllowed
from webapp.people.accounts.models import User
from webapp.people.notifications.models import Notification
from webapp.teaching.announcements import services
from webapp.teaching.announcements.models import Announcement
from webapp.teaching.courses.models import Course


def posted(course: Course, by: User, text: str = "Bring a deck.") -> Announcement:
    return services.post(course=course, by=by, title="No lecture", text=text, at=NOW)


def test_everybody_enrolled_but_the_author_is_told(
    course: Course, ida: User, ada: User, ben: User, outsider: User
) -> None:
    posted(course, ida)
    assert {each.user for each in Notification.objects.all()} == {ada, ben}
    notification = Notification.objects.first()
    assert notification is not None
    assert notification.subject.endswith("No lecture")
    assert "Bring a deck." in notification.body


def test_staff_post_and_delete_and_what_is_deleted_is_not_sent(
    course: Course, ida: User, ada: User
) -> None:
    with pytest.raises(NotAllowed):
        posted(course, ada)
    with pytest.raises(ValidationError):
        posted(course, ida, text="  ")
    announcement = posted(course, ida)
    with pytest.raises(NotAllowed):
        services.delete(announcement=announcement, by=ada, at=NOW)
    services.delete(announcement=announcement, by=ida, at=NOW)
    assert not Announcement.objects.exists()
    assert not Notification.objects.waiting().exists()


def test_staff_post_on_the_site_and_students_read(course: Course, ida: User, ada: User) -> None:
    address = f"/courses/{course.slug}/announcements/"
    form = {"title": "No lecture", "text": "<b>Bring</b> a deck: https://example.edu/deck"}
    told = signed_in(ida).post(address + "new/", form, follow=True).content.decode()
    assert "People who get e-mails about announcements receive it." in told
    for page in (address, f"/courses/{course.slug}/"):
        shown = signed_in(ada).get(page).content.decode()
        assert "No lecture" in shown
        assert "&lt;b&gt;Bring&lt;/b&gt; a deck" in shown
        assert 'href="https://example.edu/deck"' in shown


def test_only_staff_see_the_buttons(course: Course, ida: User, ada: User) -> None:
    announcement = posted(course, ida)
    address = f"/courses/{course.slug}/announcements/"
    button = f"{address}{announcement.pk}/delete/"
    for user, sees in ((ida, True), (ada, False)):
        page = signed_in(user).get(address).content.decode()
        assert (button in page, f"{address}new/" in page) == (sees, sees)
    assert signed_in(ada).post(button).status_code == 403
    assert signed_in(ida).post(button).status_code == 302
    assert not course.announcements.exists()


def test_a_line_break_counts_as_the_one_character_that_it_is_in_the_box(
    course: Course, ida: User
) -> None:
    """A browser lets 5,000 characters be written, and sends each line break as two."""
    lines = "\r\n".join("x" * 9 for _ in range(500))
    form = {"title": "The rules", "text": lines + "y"}
    answer = signed_in(ida).post(f"/courses/{course.slug}/announcements/new/", form)
    assert answer.status_code == 302
    assert course.announcements.get().text == lines.replace("\r\n", "\n") + "y"
