"""Rows as ``dumpdata`` writes them: with whole times, of which Django's JSON keeps milliseconds.

The audit log's chain covers times, and would not hold on a site that moved.
"""

from datetime import datetime
from typing import Any

from django.core.serializers import json
from django.db import models

Deserializer = json.Deserializer


class Serializer(json.Serializer):
    """Django's, but for times."""

    _current: dict[str, Any]

    def handle_field(self, obj: models.Model, field: "models.Field[Any, Any]") -> None:
        """Take a column's value."""
        super().handle_field(obj, field)
        value = self._current[field.name]
        if isinstance(value, datetime):
            self._current[field.name] = value.isoformat()
