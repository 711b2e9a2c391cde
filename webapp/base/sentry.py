"""Errors for Sentry: their places and messages, without data that people sent.

Local variables, requests, tasks' arguments and earlier log lines stay here: they hold students'
sources, the secrets of deals, and the links by which passwords are set anew.
"""

from typing import TYPE_CHECKING, Final, cast

import sentry_sdk

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint


_KEPT: Final = (
    *("event_id", "timestamp", "platform", "level", "logger", "logentry", "exception"),
    *("transaction", "transaction_info", "release", "environment", "server_name", "sdk"),
)
"""The parts of an event that are sent; the SDK could put anything into others."""


def send_errors(address: str) -> None:
    """Send the errors of this process, logged or not caught, to a project's address."""
    sentry_sdk.init(
        address,
        send_default_pii=False,
        max_request_body_size="never",
        include_local_variables=False,
        max_breadcrumbs=0,
        before_send=_without_data,
    )


def _without_data(event: "Event", _: "Hint") -> "Event":
    kept = cast("Event", {name: event[name] for name in _KEPT if name in event})
    if entry := event.get("logentry"):  # with its placeholders: parameters may name people
        kept["logentry"] = {"message": entry.get("message", "")}
    return kept
