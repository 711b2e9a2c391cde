"""Logs: lines for people or JSON for machines, with the request or evaluation they are about."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

_IDS: Final[dict[str, ContextVar[str]]] = {
    name: ContextVar(name, default="") for name in ("request", "evaluation", "batch")
}


@contextmanager
def identified(**ids: str) -> Iterator[None]:
    """Add this ``request``, ``evaluation`` or ``batch`` to lines that are logged meanwhile."""
    tokens = [(_IDS[name], _IDS[name].set(value)) for name, value in ids.items()]
    try:
        yield
    finally:
        for variable, token in tokens:
            variable.reset(token)


class Identify(logging.Filter):
    """Writes the ids into each record: as fields of their own, and as one text for lines."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass."""
        ids = {name: value for name, variable in _IDS.items() if (value := variable.get())}
        for name, value in ids.items():
            setattr(record, f"{name}_id", value)
        record.ids = "".join(f" [{name} {value}]" for name, value in ids.items())
        return True


def logging_config(*, level: str, as_json: bool) -> dict[str, Any]:
    """Return the settings of Python's logging."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"ids": {"()": "webapp.base.logs.Identify"}},
        "formatters": {
            "line": {"format": "%(asctime)s %(levelname)s %(name)s%(ids)s: %(message)s"},
            "json": {
                "()": "pythonjsonlogger.json.JsonFormatter",
                "fmt": "%(asctime)s %(levelname)s %(name)s %(message)s",
                "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
                "reserved_attrs": [*_RESERVED, "ids", "request", "taskName", "data"],
            },
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "json" if as_json else "line",
                "filters": ["ids"],
            }
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {"axes": {"level": "WARNING"}},
    }


_RESERVED: Final = tuple(vars(logging.makeLogRecord({})))
"""Attributes that every record has; the JSON includes all others, and chosen ones of these."""
