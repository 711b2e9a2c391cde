"""``demo_course``: a course to try the site with. Run it as often as you like.

Its accounts have a published password: never on a site that others can reach.
"""

from datetime import timedelta
from decimal import Decimal
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from grader import house
from grader.results.evaluation import GradingScheme
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.evaluations.services import request_house
from webapp.people.accounts.identities import confirm_address
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Course, LeaderboardVisibility, Role
from webapp.teaching.courses.models.assignment import scheme_json
from webapp.teaching.courses.services import create_assignment, create_course, enrol_by_code

SLUG: Final = "demo"
ASSIGNMENT: Final = "cooperative-agent"
OTHER: Final = "hearts"

PEOPLE: Final = (("Ida", Role.INSTRUCTOR), ("Ada", Role.STUDENT), ("Ben", Role.STUDENT))

DESCRIPTION: Final = """\
Write an agent that plays Hanabi with a copy of itself: two seats, rules of the variant "gcc".

Your agent is graded by its mean score over 1,000 games. A mean of 15 gives full credit, and every \
full point above it gives one point more."""

OTHERS_DESCRIPTION: Final = """\
Write an agent that plays Hearts for two against agents of known strength.

Every deal is played twice, once from each seat. Your points depend on how often you beat each \
opponent."""


class Command(BaseCommand):
    """Create the demo course."""

    help = "Create the course “Firebox demo” with Ida, Ada and Ben, unless it exists."

    def add_arguments(self, parser: CommandParser) -> None:
        """Passwords and reference lines."""
        parser.add_argument("--password", default="play-hanabi-together", help="of all three")
        parser.add_argument(
            "--house", action="store_true", help="evaluate the house agents as reference lines"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Create what is missing, and print who can sign in."""
        if not (settings.DEBUG or is_loopback(settings.SITE_URL)):
            raise CommandError(
                f"{settings.SITE_URL} is a real site: the demo's accounts have a password that"
                " everybody can read. Try it on a machine of your own."
            )
        with transaction.atomic():
            people = {name: account(name, options["password"]) for name, _ in PEOPLE}
            course = demo_course(people)
            assignment = demo_assignment(course, people["Ida"])
            competitive_assignment(course, people["Ida"])
        if options["house"]:
            self.stdout.write(f"{request_missing_house(assignment, people['Ida'])} house agents")
        for name, role in PEOPLE:
            self.stdout.write(f"{people[name].email}  {options['password']}  ({role.label})")
        self.stdout.write(f"invite code: {assignment.course.invite_code}")


def is_loopback(url: str) -> bool:
    """Return whether the address is of this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def account(name: str, password: str) -> User:
    """The person of that name at demo.example, with this password from now on."""
    email = f"{name.lower()}@demo.example"
    user = User.objects.filter(email=email).first()
    if user is None:
        user = User.objects.create_user(email, display_name=name)
    user.may_create_courses = name == "Ida"
    user.set_password(password)
    user.save()
    confirm_address(user)
    return user


def demo_course(people: dict[str, User]) -> Course:
    """Create the course and enrol its people, where they are missing."""
    course = Course.objects.filter(slug=SLUG).first()
    if course is None:
        course = create_course(by=people["Ida"], title="Firebox demo", slug=SLUG, term="Demo")
    for user in people.values():
        enrol_by_code(user=user, invite_code=course.invite_code)
    return course


def demo_assignment(course: Course, ida: User) -> Assignment:
    """The one that the demo plays; made if it is missing."""
    assignment = Assignment.objects.filter(course=course, slug=ASSIGNMENT).first()
    return assignment or create_assignment(
        course=course,
        by=ida,
        slug=ASSIGNMENT,
        title="A cooperative agent",
        description=DESCRIPTION,
        options={"variant": "gcc", "players": 2},
        grading=scheme_json(GradingScheme(full_mean=Decimal(15), bonus_points=Decimal(1))),
        n_games=1000,
        due_at=timezone.now() + timedelta(days=90),
        max_team_size=2,
        uploads_per_day=100,
        leaderboard=LeaderboardVisibility.PUBLIC,
    )


def competitive_assignment(course: Course, ida: User) -> Assignment:
    """One in a game that is played against others, to be tried; made if it is missing."""
    assignment = Assignment.objects.filter(course=course, slug=OTHER).first()
    return assignment or create_assignment(
        course=course,
        by=ida,
        slug=OTHER,
        title="Hearts against the house",
        description=OTHERS_DESCRIPTION,
        game="hearts",
        options={"variant": "standard", "players": 2},
        n_games=200,
        practice_games=20,
        smoke_games=4,
        due_at=timezone.now() + timedelta(days=90),
        max_team_size=2,
        uploads_per_day=100,
        leaderboard=LeaderboardVisibility.PUBLIC,
    )


def request_missing_house(assignment: Assignment, ida: User) -> int:
    """Have those house agents evaluated that never were; how many."""
    known = set(
        Evaluation.objects.filter(
            assignment=assignment, kind=Kind.GRADED, submission=None
        ).values_list("house_agent", flat=True)
    )
    names = [name for name in house.NAMES if name not in known]
    return len(request_house(assignment=assignment, by=ida, names=names)) if names else 0
