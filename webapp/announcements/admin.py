"""The admin's view of announcements."""

from django.contrib import admin

from webapp.admin import ReadOnlyAdmin
from webapp.announcements.models import Announcement


@admin.register(Announcement)
class AnnouncementAdmin(ReadOnlyAdmin):
    """Announcements with their date and author."""

    list_display = ("posted_at", "course", "title", "posted_by")
    list_filter = ("course",)
    search_fields = ("title", "text")
