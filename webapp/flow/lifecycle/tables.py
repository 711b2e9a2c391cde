"""The tables of a course: every model whose rows belong to one, each after those it refers to.

A row belongs to a course if a chain of references that are never empty leads there. So a new model
is exported, imported and deleted with the rest.
"""

from collections import deque
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeAlias

from django.apps import apps
from django.db import models

from webapp.grading.evaluations.models import Kind, StoredGame
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Course

AnyModel: TypeAlias = type[models.Model]

LEFT_OUT: Final = {
    "courses.gamefolder": "checked by each site for itself: it is uploaded there again",
    "evaluations.draft": "its author's and their team's alone, and no submission",
    "evaluations.gradingrun": "says only how far a grading of all teams has come",
    "lti.linkedassignment": "links this site with a learning platform",
    "lti.linkedcourse": "links this site with a learning platform",
    "lti.score": "says only what was sent to a learning platform",
    "sharing.gamelink": "opens a page of this site, which no other site has",
    "similarity.comparison": "names submissions of other courses, and can be made again",
    "similarity.similarpair": "part of a comparison",
    "submissions.keptupload": "its owner's alone, for an hour, and no submission",
    "similarity.sourceprints": "made from the sources whenever they are needed",
}
"""Models that are neither exported nor imported, and why."""
_TRIES: Final = {
    "evaluations.evaluation": {"kind": Kind.TRY},
    "evaluations.gameresult": {"evaluation__kind": Kind.TRY},
}
"""Rows that belong to drafts, which no course file has."""
_NAMED_IN_JSON: Final = {"playing.humangame": ("submissions.submission",)}
"""Models that rows of others refer to by keys in JSON, which no column shows."""
_ORDER: Final = {"evaluations.gameresult": ("evaluation_id", "index")}


@dataclass(frozen=True, slots=True)
class ArchiveTable:
    model: AnyModel
    path: str
    """The lookup from a row to its course: ``team__assignment__course``, or ``pk``."""

    @property
    def label(self) -> str:
        """Its name in files: ``courses.team``."""
        return self.model._meta.label_lower

    @property
    def columns(self) -> list[Any]:
        return [field for field in self.model._meta.concrete_fields if not field.primary_key]

    @property
    def lists(self) -> list[Any]:
        many: list[Any] = list(self.model._meta.many_to_many)
        return [field for field in many if field.remote_field.through._meta.auto_created]

    @property
    def order(self) -> tuple[str, ...]:
        return _ORDER.get(self.label, ("pk",))

    @property
    def has_games(self) -> bool:
        return issubclass(self.model, StoredGame)

    @property
    def is_exported(self) -> bool:
        return self.label not in LEFT_OUT

    def rows_of(self, course: Course) -> "models.QuerySet[Any]":
        """Return the course's rows, in no order."""
        return self.model._base_manager.filter(**{self.path: course.pk}).order_by()

    def exported_rows_of(self, course: Course) -> "models.QuerySet[Any]":
        """Return the course's rows that a course file has, in no order."""
        rows, tries = self.rows_of(course), _TRIES.get(self.label)
        return rows if tries is None else rows.exclude(**tries)


# See webapp/decisions/tables-of-a-course.md
@cache
def course_tables() -> tuple[ArchiveTable, ...]:
    """Return the tables, each after those that its rows refer to."""
    paths = _paths()
    done: dict[AnyModel, ArchiveTable] = {}
    while waiting := sorted(paths.keys() - done.keys(), key=lambda one: one._meta.label_lower):
        ready = [model for model in waiting if _targets(model, paths) <= done.keys() | {model}]
        if not ready:
            raise RuntimeError(f"these models refer to each other: {waiting}")
        done |= {model: ArchiveTable(model, paths[model]) for model in ready}
    return tuple(done.values())


def _paths() -> dict[AnyModel, str]:
    paths: dict[AnyModel, str] = {Course: "pk"}
    waiting: deque[AnyModel] = deque([Course])
    while waiting:
        target = waiting.popleft()
        for model in apps.get_models():
            if model in paths:
                continue
            for column in _references(model):
                if column.related_model is target and not column.null:
                    rest = "" if target is Course else f"__{paths[target]}"
                    paths[model] = f"{column.name}{rest}"
                    waiting.append(model)
                    break
    return paths


def _references(model: AnyModel) -> list[Any]:
    return [field for field in model._meta.concrete_fields if field.is_relation]


def _targets(model: AnyModel, known: dict[AnyModel, str]) -> set[AnyModel]:
    targets = {column.related_model for column in _references(model)}
    targets |= {apps.get_model(label) for label in _NAMED_IN_JSON.get(model._meta.label_lower, ())}
    return {target for target in targets if target in known and target is not User}
