"""System checks: errors in the operator's settings, reported before the site serves requests.

E001  the secret key is the one in the source
E002  SQLite's directory or the static directory cannot be written
E003  passwords are switched off and there is no provider to sign in with
E004  the database is too old for this version's migrations
E005  an assignment is of a game that is not installed, or is installed in another version
W001  mails go to the console
W002  the site's address is not https
W003  leases are shorter than the periodic task's interval
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from grader.core.errors import RulesError
from webapp.base.errors import Refused


@register(Tags.security, deploy=True)
def secret_key(**_: Any) -> list[CheckMessage]:
    """Check the secret key: with a public one anybody can forge a session."""
    if settings.SECRET_KEY != settings.INSECURE_SECRET_KEY:
        return []
    return [
        Error(
            "FIREBOX_SECRET_KEY is not set.",
            hint="Set it to 50 or more random characters and keep it out of version control.",
            id="firebox.E001",
        )
    ]


@register(Tags.files)
def var_is_writable(**_: Any) -> list[CheckMessage]:
    """Check that SQLite can write its file and its directory."""
    directory = nearest_existing(settings.VAR_DIR)
    if directory.is_dir() and os.access(directory, os.W_OK | os.X_OK):
        return []
    return [
        Error(
            f"{directory} cannot be written.",
            hint="Change its owner, or set FIREBOX_VAR_DIR to a directory of the site's user.",
            id="firebox.E002",
        )
    ]


def nearest_existing(path: Path) -> Path:
    """The path itself, or the first of its parents that exists."""
    return next(parent for parent in (path, *path.parents) if parent.exists())


@register()
def somebody_can_sign_in(**_: Any) -> list[CheckMessage]:
    """Check for a way to sign in: without passwords and providers only operators can."""
    if settings.PASSWORD_SIGN_IN or settings.SIGN_IN_PROVIDERS:
        return []
    return [
        Error(
            "Passwords are switched off, and no provider is configured.",
            hint="Set FIREBOX_OIDC_PROVIDERS or FIREBOX_SAML_PROVIDERS, or remove"
            " FIREBOX_PASSWORD_SIGN_IN.",
            id="firebox.E003",
        )
    ]


@register(Tags.database)
def database_can_be_upgraded(
    *, databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """Check that the database has all or none of the migrations that a squashed one replaces.

    Without some of them Django skips the squashed one silently, or raises NodeNotFoundError.
    """
    return [
        Error(
            f"The database lacks migrations of an earlier version: {lacking[0]} and later ones.",
            hint="Run `python -m webapp migrate` of revision daef59bf, then that of this version.",
            id="firebox.E004",
        )
        for alias in databases or ()
        if (lacking := _lacking_migrations(alias))
    ]


def _lacking_migrations(alias: str) -> list[str]:
    applied = MigrationRecorder(connections[alias]).applied_migrations()
    loader = MigrationLoader(None, load=False)
    loader.load_disk()
    return [
        ".".join(replaced)
        for migration in loader.disk_migrations.values()
        if any(replaced in applied for replaced in migration.replaces)
        for replaced in migration.replaces
        if replaced not in applied and replaced not in loader.disk_migrations
    ]


@register(Tags.database, deploy=True)
def games_in_use_are_installed(
    *, databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """Check that every assignment's game is installed in its version: before one is uninstalled or
    replaced, this names who still needs it. Pages stay readable in any case."""
    return [
        Error(
            f"The assignment {assignment} of {assignment.course} needs {need}.",
            hint="Install that version beside the site and every grader, or have an instructor take"
            " the new one: Grade all again, on the assignment's page for staff.",
            id="firebox.E005",
        )
        for alias in databases or ()
        for assignment, need in _games_missing(alias)
    ]


def _games_missing(alias: str) -> list[tuple[Any, str]]:
    if not _lacks_nothing(alias):
        return []
    assignments = apps.get_model("courses", "Assignment").objects.using(alias)
    in_use = assignments.filter(course__archived_at__isnull=True, course__deleted_at__isnull=True)
    missing = []
    for assignment in in_use.select_related("course"):
        try:
            assignment.require_installed_game()
        except (Refused, RulesError):
            missing.append((assignment, f"{assignment.game} {assignment.game_version}".rstrip()))
    return missing


def _lacks_nothing(alias: str) -> bool:
    """Return whether all migrations were applied: without them there may be no such columns."""
    executor = MigrationExecutor(connections[alias])
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


@register(deploy=True)
def mail_is_delivered(**_: Any) -> list[CheckMessage]:
    """Check for a mail server: without one, passwords cannot be reset."""
    if settings.EMAIL_HOST:
        return []
    return [
        Warning(
            "Mails are printed on the console.",
            hint="Set FIREBOX_EMAIL_HOST (and _PORT, _USER, _PASSWORD, _FROM).",
            id="firebox.W001",
        )
    ]


@register(Tags.security, deploy=True)
def served_by_https(**_: Any) -> list[CheckMessage]:
    """Check for https: passwords must not be sent in the clear."""
    if settings.SITE_URL.startswith("https://"):
        return []
    return [
        Warning(
            f"The site's address is {settings.SITE_URL}.",
            hint="Put it behind a proxy that speaks https and set FIREBOX_SITE_URL and"
            " FIREBOX_PROXIES.",
            id="firebox.W002",
        )
    ]


@register()
def leases_outlast_ticks(**_: Any) -> list[CheckMessage]:
    """Check that leases are longer than the interval of the periodic task."""
    if settings.LEASE_SECONDS > settings.TICK_SECONDS:
        return []
    return [
        Warning(
            f"FIREBOX_LEASE_SECONDS ({settings.LEASE_SECONDS:g}) is not more than"
            f" FIREBOX_TICK_SECONDS ({settings.TICK_SECONDS:g}).",
            hint="Batches would be sent again while they are being played.",
            id="firebox.W003",
        )
    ]
