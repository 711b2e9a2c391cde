"""Registers the app and its Celery tasks."""

from django.apps import AppConfig


class EvaluationsConfig(AppConfig):
    """Evaluations, batches, results."""

    name = "webapp.evaluations"
    label = "evaluations"
