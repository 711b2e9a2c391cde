"""The objects that the API returns. Times are in UTC; scores are in points a game."""

from datetime import datetime

from ninja import Field, Schema

from webapp.base.interfaces import ANY


class MessageOut(Schema):
    """A complaint or a note about a source file."""

    file: str
    line: int = Field(description="From 1; 0: the whole file")
    column: int = Field(description="From 1; 0: not known")
    text: str


class Problem(Schema):
    """Why a request failed."""

    detail: str
    messages: list[MessageOut] = Field([], description="Errors of an upload, and notes on it")


class UserOut(Schema):
    """The user of the token."""

    name: str
    email: str


class AssignmentOut(Schema):
    """An assignment that the user may submit to."""

    course: str = Field(description="The course's name in addresses")
    assignment: str = Field(description="The assignment's name in addresses")
    title: str
    game: str
    interfaces: list[str]
    opens_at: datetime
    due_at: datetime = Field(description="For the user's team, its extensions included")
    ends_at: datetime = Field(description="An upload after this time does not count")
    late_days: int = Field(description="Late days that the user's team can use here")
    url: str


class EvaluationOut(Schema):
    """One run of games: the first test, practice, or the graded evaluation."""

    id: str
    kind: str = Field(description="smoke (the first test), practice or graded")
    status: str = Field(description="queued, playing, finished, failed or cancelled")
    verdict: str = Field(description="accepted, rejected or faulty; empty until it has finished")
    games: int
    games_done: int
    faults: int = Field(description="Games that a fault of the agent ended")
    mean: float | None
    low: float | None = Field(description="Lower end of the mean's 95% interval")
    high: float | None
    wins: int | None = Field(description="Null unless games are won, drawn or lost")
    draws: int | None
    losses: int | None
    points: float | None = Field(description="For graded evaluations only")
    url: str


class UploadOptions(Schema):
    """Options of an upload, beside its file."""

    interface: str = Field(ANY, description="Empty: recognised from the sources")
    agent_class: str = Field("", description="The class that plays, if there are several")


class SubmissionOut(Schema):
    """A submission, with the latest evaluation of each kind."""

    id: int
    number: int = Field(description="From 1 within the team")
    course: str
    assignment: str
    filename: str
    interface: str
    uploaded_at: datetime
    status: str = Field(description="received, checked, smoke_tested, ready or rejected")
    is_counted: bool
    late_days: int = Field(description="Used if this upload counts")
    penalty_percent: float = Field(description="Taken off the points for lateness")
    is_under_way: bool = Field(description="An evaluation is queued or playing")
    warning: str
    messages: list[MessageOut]
    notes: list[MessageOut]
    evaluations: list[EvaluationOut]
    url: str
