"""Redaction of a spoiled game for others than the agent's team and staff.

What an agent printed may show its sources: the evidence holds it, and the fault quotes it.
"""

from dataclasses import replace
from typing import Final

from grader.core.records import Evidence, Fault, GameResult, Record

UNTOLD: Final = "only its team and staff see what happened"
"""Stands where that sentence would."""


def record_for_others(record: Record) -> Record:
    """The record, which replays as before."""
    if record.fault is None:
        return record
    return replace(record, fault=fault_for_others(record.fault))


def fault_for_others(fault: Fault) -> Fault:
    """The fault without the sentence that may quote the agent."""
    return replace(fault, detail=UNTOLD)


def result_for_others(result: GameResult) -> GameResult:
    """Return the game with an evidence that is empty, and still there, as a verifier expects."""
    other, evidence = result.other_attempt, result.evidence
    return replace(
        result,
        record=record_for_others(result.record),
        evidence=evidence and Evidence(sent="", received="", stderr="", exit=""),
        other_attempt=other and record_for_others(other),
    )
