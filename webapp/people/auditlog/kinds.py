"""The kinds of acts that the audit log knows. The value's first word is the subject it is about."""

from collections.abc import Mapping
from enum import Enum
from typing import Final


class ActKind(Enum):
    """One kind of act: the name stored in the database, and its label on pages and in exports."""

    COURSE_CREATED = "course.created", "Course created"
    COURSE_CHANGED = "course.changed", "Course changed"
    PLATFORM_LINKED = "course.platform", "Linked with a learning platform"
    INVITE_CODE_RENEWED = "course.invite_code", "Invite code renewed"
    COURSE_COPIED = "course.copied", "Course copied"
    COURSE_ARCHIVED = "course.archived", "Course archived"
    COURSE_REOPENED = "course.reopened", "Course unarchived"
    COURSE_EXPORTED = "course.exported", "Course exported"
    COURSE_IMPORTED = "course.imported", "Course imported"
    COURSE_DELETED = "course.deleted", "Course deleted"
    RETENTION_CHANGED = "course.retention", "Retention changed"
    THROWN_AWAY = "course.thrown_away", "Expired records removed"
    PERSON_FORGOTTEN = "people.forgotten", "Person deleted"
    WORDS_ERASED = "log.erased", "Texts of entries erased"
    PERSON_ADDED = "people.added", "Person added"
    PERSON_INVITED = "people.invited", "Person invited again"
    STATE_CHANGED = "people.state", "Withdrawn, removed or enrolled again"
    NAME_CHANGED = "people.name", "Name changed"
    ADDRESS_CHANGED = "people.address", "E-mail address changed"
    ROLE_CHANGED = "people.role", "Role changed"
    NUMBER_CHANGED = "people.number", "Student number changed"
    SECTION_CHANGED = "people.section", "Section changed"
    LOOKS_AFTER_CHANGED = "people.sections", "Responsible staff of sections changed"
    ACCOUNT_TAKEN_BACK = "people.taken_back", "Sign-in methods removed until the owner signs in"
    IDENTITY_JOINED = "people.identity", "Sign-in method added"
    TWO_FACTOR_CHANGED = "people.two_factor", "Two-factor sign-in changed"
    TIME_CHANGED = "people.time", "Extra time changed"
    SECTION_CREATED = "section.created", "Section created"
    SECTION_RENAMED = "section.renamed", "Section renamed"
    SECTION_DELETED = "section.deleted", "Section deleted"
    SECTION_DATES_CHANGED = "section.dates", "Dates of a section changed"
    ASSIGNMENT_CREATED = "assignment.created", "Assignment created"
    ASSIGNMENT_COPIED = "assignment.copied", "Assignment copied"
    ASSIGNMENT_CHANGED = "assignment.changed", "Assignment changed"
    BOARD_CHANGED = "assignment.board", "Leaderboard published or hidden"
    BOARD_LINES_CHOSEN = "assignment.board_lines", "House agents on the leaderboard chosen"
    DEALS_REVEALED = "assignment.revealed", "Deals revealed"
    EXTENSION_GIVEN = "dates.extension", "Extension given or withdrawn"
    REMINDED = "dates.reminded", "Reminded of an assignment"
    TEAM_CHANGED = "team.moved", "Student moved to a team"
    TEAM_RENAMED = "team.renamed", "Team renamed by staff"
    UPLOADED = "submission.uploaded", "Uploaded by staff"
    UPLOAD_CHOSEN = "submission.chosen", "Counted upload chosen by staff"
    GAME_UPLOADED = "game.uploaded", "Game uploaded, or checked again"
    GAME_SHARED = "game.shared", "Public link to a game made"
    LINK_TAKEN_BACK = "game.link_taken_back", "Public link to a game taken back"
    GRADING_STARTED = "evaluation.graded", "Grading started"
    TEST_STARTED = "evaluation.tested", "Test or practice started by staff"
    HOUSE_STARTED = "evaluation.house", "House agents evaluated"
    EVALUATION_CANCELLED = "evaluation.cancelled", "Evaluation cancelled"
    EVALUATION_REQUEUED = "evaluation.requeued", "Evaluation sent again"
    SCORES_SENT = "grade.sent", "Points sent to a learning platform"
    GRADE_CHANGED = "grade.changed", "Points changed"
    POINTS_GIVEN = "grade.points", "Points or comment given by hand"
    REGRADE_ASKED = "regrade.asked", "Regrade requested"
    REGRADE_ANSWERED = "regrade.answered", "Regrade request answered"
    GRADES_RELEASED = "grade.released", "Grades released"
    GRADES_HELD = "grade.held", "Grades hidden until their release"
    ANNOUNCED = "announcement.posted", "Announcement posted"
    ANNOUNCEMENT_DELETED = "announcement.deleted", "Announcement deleted"
    TOURNAMENT_STARTED = "tournament.started", "Tournament started"
    TOURNAMENT_CANCELLED = "tournament.cancelled", "Tournament cancelled"
    TOURNAMENT_RESUMED = "tournament.resumed", "Tournament resumed"
    TOURNAMENT_RELEASED = "tournament.released", "Tournament released"
    TOURNAMENT_AUDITED = "tournament.audited", "Replay audit of a tournament started"
    FLAG_SEEN = "flag.seen", "Flags of a replay audit marked as seen"
    FLAG_UNSEEN = "flag.unseen", "Flags of a replay audit marked as not seen"
    PLACES_GIVEN = "tournament.points", "Points given for places"
    PARTICIPANT_EXCLUDED = "tournament.excluded", "Participant excluded"
    LADDER_OPENED = "ladder.opened", "Ladder opened"
    LADDER_CHANGED = "ladder.changed", "Ladder changed"
    LADDER_PAUSED = "ladder.paused", "Ladder paused"
    LADDER_RESUMED = "ladder.resumed", "Ladder resumed"
    LADDER_CLOSED = "ladder.closed", "Ladder closed"
    LADDER_WITHDRAWN = "ladder.withdrawn", "Agent taken off the ladder by staff"
    SOURCES_COMPARED = "similarity.compared", "Sources compared"
    PAIR_OPENED = "similarity.opened", "Pair of similar sources viewed"
    SOURCES_DOWNLOADED = "similarity.downloaded", "All sources downloaded"
    GRADER_ADMITTED = "grader.admitted", "Grader admitted"
    GRADER_DISMISSED = "grader.dismissed", "Grader dismissed"
    GRADER_DRAINED = "grader.drained", "Grader drained"
    GRADER_RESUMED = "grader.resumed", "Grader takes work again"
    GRADERS_PAUSED = "grader.all_paused", "All graders paused"
    GRADERS_WENT_ON = "grader.all_resumed", "All graders resumed"
    RECORD_ADDED = "record.added", "Record added by an operator"
    RECORD_CHANGED = "record.changed", "Record changed by an operator"
    RECORD_DELETED = "record.deleted", "Record deleted by an operator"

    def __init__(self, name_kept: str, label: str) -> None:
        self.name_kept = name_kept
        self.label = label


_LABELS = {kind.name_kept: kind.label for kind in ActKind}


def label_of(name: str) -> str:
    """Return the label for a stored name; for an unknown kind, the name itself."""
    return _LABELS.get(name, name)


_NAMES_OF_VALUES: Final[dict[str, str]] = {}


def name_values(names: Mapping[str, str]) -> None:
    """Note what forms call the values that acts record: apps above this one tell it."""
    _NAMES_OF_VALUES.update(names)


def name_of_value(name: str) -> str:
    """Return what pages call a value that an act changed."""
    return _NAMES_OF_VALUES.get(name, name.replace("_", " "))
