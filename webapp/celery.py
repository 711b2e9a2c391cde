"""The Celery app, where ``celery --app webapp`` looks for it."""

from webapp.base.celery import app

__all__ = ["app"]
