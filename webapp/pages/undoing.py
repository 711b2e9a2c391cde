"""Undo: the small form beside a message leads here."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme

from webapp.flow import undoing
from webapp.pages.http import current_user, run_with_message, signed_in


@signed_in("POST")
def undo(request: HttpRequest, act: int) -> HttpResponse:
    """Undo the person's act at that moment, and return to the page with the message."""
    by = current_user(request)
    acts = undoing.acts_of_moment(act, by=by)
    if not acts or acts[0].course is None:
        raise Http404("You have nothing to undo here.")
    course = acts[0].course
    run_with_message(
        request,
        lambda: undoing.undo(acts, course=course, by=by),
        done="Undone. The audit log has both entries.",
    )
    back = request.POST.get("back", "")
    # Without a slash it would be taken for the name of a page.
    if not back.startswith("/") or not url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        return redirect("courses:course", course.slug)
    return redirect(back)
