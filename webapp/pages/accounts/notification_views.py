"""View of the e-mails that the user chooses on the profile page."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from webapp.courses.permissions import is_staff_anywhere
from webapp.notifications.services import choose_topics
from webapp.pages.http import current_user, signed_in


@signed_in("POST")
def choose(request: HttpRequest) -> HttpResponse:
    """Save which e-mails the user wants."""
    user, wanted = current_user(request), request.POST.getlist("topic")
    choose_topics(user=user, wanted=wanted, is_staff=is_staff_anywhere(user))
    messages.success(request, "Your choice of e-mails is saved.")
    return redirect("accounts:profile")
