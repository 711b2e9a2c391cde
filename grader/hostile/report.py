"""Results of hostile agents: a row for each, and the table of them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.core.words import counted, printable
from grader.hostile import arena


@dataclass(frozen=True, slots=True, kw_only=True)
class HostileRow:
    """One program's result."""

    name: str
    tries: str
    declared: str
    verdicts: tuple[str, ...]
    deviations: tuple[str, ...]
    """In sentences; none if the sandbox held."""
    seconds: float

    @property
    def group(self) -> str:
        """The folder it is in."""
        return self.name.partition("/")[0]


def row(outcome: arena.AttackOutcome) -> HostileRow:
    """The outcome of a batch, checked."""
    hostile_program = outcome.hostile_program
    return HostileRow(
        name=hostile_program.name,
        tries=hostile_program.sentence,
        declared=hostile_program.verdict,
        verdicts=tuple(outcome.verdicts),
        deviations=tuple(arena.deviations(outcome)),
        seconds=round(outcome.seconds, 1),
    )


def line(row: HostileRow) -> str:
    """Name, declared verdict, the most frequent one with its count, time."""
    came = Counter(row.verdicts).most_common(1)
    word, count = came[0] if came else ("nothing", 0)
    return (
        f"{'FAILED' if row.deviations else 'ok    '}  {row.name:<34}{row.declared:<11}"
        f"{f'{word} {count}/{len(row.verdicts)}':<17}{row.seconds:6.1f} s"
    )


def report(rows: Sequence[HostileRow]) -> Iterator[str]:
    """A line for each program, more for one that deviates, and the totals."""
    for row in rows:
        yield line(row)
        for deviation in row.deviations:
            yield f"        {printable(deviation)}"
    bad = sum(bool(row.deviations) for row in rows)
    yield ""
    yield _counts([row.group for row in rows])
    yield _counts([row.declared for row in rows])
    yield f"{len(rows)} programs, {counted(bad, 'deviation')}."


def _counts(words: Sequence[str]) -> str:
    return ", ".join(f"{word} {count}" for word, count in Counter(words).items())
