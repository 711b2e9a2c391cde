"""Moves of a status: by one table for each model, and by conditional UPDATEs."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.db import models


class Advancing(models.Model):
    """A model with a status. Its ``transitions`` say where each status may go."""

    transitions: ClassVar[Mapping[str, Sequence[str]]]
    status = models.CharField(max_length=10)

    class Meta:
        abstract = True

    def advance(self, to: str, **fields: Any) -> bool:
        """Move to ``to`` from any status that the table allows; return whether this call did.

        A conditional UPDATE: of two that race, one gets False and must not act on the move.
        """
        allowed = [status for status, targets in self.transitions.items() if to in targets]
        rows = type(self)._base_manager.filter(pk=self.pk, status__in=allowed)
        won = rows.update(status=to, **fields)
        if won:
            for name, value in {"status": to, **fields}.items():
                setattr(self, name, value)
        return bool(won)
