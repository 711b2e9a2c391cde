"""The roles of a launch that make a user staff of the platform's course."""

from tests.support.every import every
from tests.support.lti_platform import CLAIM, LEARNER, TEACHER
from webapp.flow.lti.launches import read_launch
from webapp.flow.lti.models import Platform

_INSTITUTION = "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor"
_ASSISTANT = "http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant"


@every(
    ("roles", "is_staff"),
    [
        ([LEARNER], False),
        ([LEARNER, _INSTITUTION], False),
        ([TEACHER], True),
        ([_ASSISTANT], True),
        (["Instructor"], True),
        ([LEARNER.replace("#", "/") + "#Instructor"], False),
    ],
)
def test_only_teachers_of_the_course_itself_are_staff(roles: list[str], *, is_staff: bool) -> None:
    launch = read_launch(Platform(pk=1, name="Moodle"), {CLAIM + "roles": roles})
    assert launch.is_staff is is_staff
