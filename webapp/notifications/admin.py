"""The admin's view of notifications: the messages, and the mail server's answers."""

from django.contrib import admin

from webapp.admin import ReadOnlyAdmin
from webapp.notifications.models import Notification


@admin.register(Notification)
class NotificationAdmin(ReadOnlyAdmin):
    """One e-mail to one person."""

    list_display = ("created_at", "topic", "user", "subject", "sent_at", "attempts", "error")
    list_filter = ("topic",)
    search_fields = ("user__email", "subject")
