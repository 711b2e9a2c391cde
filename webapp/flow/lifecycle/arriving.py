"""Turns rows of a course file into rows of this site: values parsed, references resolved.

Every reference leads to a row of the same file, and all references of a row lead to the same
assignment and the same team: no row joins what does not belong together.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final, NamedTuple, TypeGuard

import msgspec

from grader.core.errors import RecordError
from grader.core.games.checks import shown
from grader.core.records import AgentRef, from_json
from grader.house.catalogue import AGENTS
from webapp.base.artefacts import keyed_digest, stored_house_agent
from webapp.contests.playing.models import HumanGame, Occupant
from webapp.flow.lifecycle.checks import check_row
from webapp.flow.lifecycle.rows import as_stored, decoded, new_columns
from webapp.flow.lifecycle.tables import ArchiveTable
from webapp.grading.submissions.models import Submission
from webapp.teaching.courses.models import Assignment, Team, note_game


class Programs:
    """The programs of one import, by the new keys of their submissions."""

    def __init__(self) -> None:
        self._submitted: dict[int, str | None] = {}
        """Digests; ``None``: the sources were removed."""
        self._house_agent = cache(stored_house_agent)

    def add(self, submission: Any) -> None:
        """Note a submission that was inserted, whose program is in the file unless removed."""
        is_there = submission.sources_removed_at is None
        self._submitted[submission.pk] = submission.sha256 if is_there else None

    def settle(self, label: str, row: Any) -> None:
        """Settle each digest in a row. Raises RecordError for a digest of another program."""
        if label == "evaluations.evaluation":
            agent, *opponents = row.agents
            names = row.parsed_spec.opponents
            if len(names) != len(opponents):
                raise RecordError("its opponents are not those of its spec")
            row.sha256 = self._of_row(row, agent).sha256
            pairs = zip(names, opponents, strict=True)
            row.opponents = [msgspec.to_builtins(self._of_house(*pair)) for pair in pairs]
        elif label in {"tournaments.participant", "ladders.ladderentry"}:
            agent = from_json(msgspec.json.encode(row.agent), AgentRef)
            row.agent = msgspec.to_builtins(self._of_row(row, agent))
        elif label == "playing.humangame":
            seats = from_json(msgspec.json.encode(row.seats), tuple[Occupant, ...])
            row.seats = [msgspec.to_builtins(self._seated(seat)) for seat in seats]

    def _of_row(self, row: Any, agent: AgentRef) -> AgentRef:
        if row.submission_id is None:
            return self._of_house(row.house_agent, agent)
        return self._of_submission(row.submission_id, agent)

    def _seated(self, occupant: Occupant) -> Occupant:
        if occupant.agent is None:
            return occupant
        if occupant.submission is None:
            agent = self._of_house(occupant.house, occupant.agent)
        else:
            agent = self._of_submission(occupant.submission, occupant.agent)
        return replace(occupant, agent=agent)

    def _of_submission(self, submission: int, agent: AgentRef) -> AgentRef:
        sha256 = self._submitted[submission]
        if sha256 is None:
            return _unreadable(agent)
        if agent.sha256 != sha256:
            raise RecordError("it names another program than that of its submission")
        return agent

    def _of_house(self, name: str, agent: AgentRef) -> AgentRef:
        if name in AGENTS and self._house_agent(name).sha256 == agent.sha256:
            return agent
        return _unreadable(agent)


def _unreadable(agent: AgentRef) -> AgentRef:
    return replace(agent, sha256=keyed_digest(agent.sha256))


_MAX_KEY: Final = 1 << 62


class Home(NamedTuple):
    """The assignment and the team that a row belongs to, if any."""

    assignment: int | None = None
    team: int | None = None


@dataclass(slots=True)
class Keys:
    """The new key of each row by model and the file's key, and the home of the new rows."""

    of_model: dict[Any, dict[int, int]] = field(default_factory=dict)
    homes: dict[Any, dict[int, Home]] = field(default_factory=dict)
    programs: Programs = field(default_factory=Programs)
    is_of_earlier_rules: bool = False
    """True if the version that wrote the file had other rules for lateness."""

    def new(self, column: Any, key: object) -> int | None:
        """Return the new key of a reference. Raises RecordError for one that leads elsewhere."""
        if key is None:
            return None
        known = self.of_model.get(column.related_model)
        if known is None and column.null:
            return None  # it belongs to the other site
        if known is None or not is_key(key) or key not in known:
            raise RecordError(f"{column.name} {shown(key)} is not in the file")
        return known[key]

    def note(self, row: Any, key: int) -> None:
        """Note a row that was inserted, to which others refer."""
        model = type(row)
        self.of_model[model][key] = row.pk
        home = self.home_of(row)
        if model is Assignment:
            home = Home(row.pk)
            note_game(type(row.rules))
        elif model is Team:
            home = home._replace(team=row.pk)
        self.homes.setdefault(model, {})[row.pk] = home
        if model is Submission:
            self.programs.add(row)

    def home_of(self, row: Any) -> Home:
        """Return the home that a row has by all of its references. Raises RecordError."""
        homes = [
            homes[key]
            for column in row._meta.concrete_fields
            if (homes := self.homes.get(column.related_model))
            and (key := getattr(row, column.attname)) is not None
        ]
        if isinstance(row, HumanGame):
            seated = [seat.submission for seat in row.occupants if seat.submission is not None]
            homes += [Home(self.homes[Submission][key].assignment) for key in seated]
        return Home(*(_common(name, [getattr(home, name) for home in homes])
                      for name in Home._fields))  # fmt: skip


def _common(name: str, keys: list[int | None]) -> int | None:
    known = {key for key in keys if key is not None}
    if len(known) > 1:
        raise RecordError(f"it refers to rows of more than one {name}")
    return known.pop() if known else None


def is_key(key: object) -> TypeGuard[int]:
    """Return whether a value can be the key of a row."""
    return isinstance(key, int) and not isinstance(key, bool) and 0 < key < _MAX_KEY


def key_of(table: ArchiveTable, row: Mapping[str, Any]) -> int:
    """Return the key of a row in the file. Raises RecordError."""
    key = row.get("pk")
    if not is_key(key):
        raise RecordError(f"a row of {table.label} has no key of its own")
    return key


def _parsed(table: ArchiveTable, row: Mapping[str, Any]) -> Any:
    new = {column.name for column in new_columns(table)}
    columns = {column.name: column for column in table.columns if column.name not in new}
    lists = {relation.name for relation in table.lists}
    if unknown := sorted(row.keys() - columns.keys() - lists - {"pk"}):
        raise RecordError(f"{table.label} has no {unknown[0][:40]!r} in this version")
    instance = table.model()
    for name, column in columns.items():
        if name not in row:  # an earlier version wrote it: the default
            default = getattr(instance, column.attname)
            setattr(instance, column.attname, as_stored(column, default))
        elif not column.is_relation:
            setattr(instance, column.attname, decoded(column, row[name]))
    return instance


def arrived(table: ArchiveTable, row: Mapping[str, Any], keys: Keys, *, checked: bool) -> Any:
    """Return a row as it will be here, with references by the new ``keys``. Raises RecordError.

    ``checked``: it was checked before, with other keys.
    """
    key = key_of(table, row)
    try:
        instance = _parsed(table, row)
        for column in table.columns:
            if column.is_relation and column.name in row:
                setattr(instance, column.attname, keys.new(column, row[column.name]))
        if not checked:
            check_row(table, instance)
        if isinstance(instance, HumanGame):
            instance.seats = [_seated(seat, keys) for seat in instance.seats]
            if instance.origin is not None:  # its page has another address here, if there is one
                instance.origin = {**instance.origin, "address": ""}
        keys.home_of(instance)
        keys.programs.settle(table.label, instance)
        if isinstance(instance, Assignment) and "has_plain_days" not in row:
            keys.is_of_earlier_rules = True
    except RecordError as error:
        raise RecordError(f"row {key} of {table.label}: {error}") from error
    return instance


def _seated(seat: Mapping[str, Any], keys: Keys) -> dict[str, Any]:
    key = seat["submission"]
    if key is not None and key not in keys.of_model[Submission]:
        raise RecordError(f"submission {key} at one of its seats is not in the file")
    return {**seat, "submission": None if key is None else keys.of_model[Submission][key]}


def listed(table: ArchiveTable, relation: Any, row: Mapping[str, Any]) -> list[int]:
    """Return the keys in a list of references. Raises RecordError."""
    keys = row.get(relation.name) or []
    if not isinstance(keys, list) or not all(map(is_key, keys)) or len(set(keys)) < len(keys):
        raise RecordError(f"{relation.name} of {table.label} is no list of keys")
    return keys
