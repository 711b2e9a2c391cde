"""Registers the app."""

from django.apps import AppConfig


class AuditLogConfig(AppConfig):
    """The audit log."""

    name = "webapp.auditlog"
    label = "auditlog"
