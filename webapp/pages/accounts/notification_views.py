"""Views of the e-mails that people choose: on their profile, or by a link in each e-mail.

Programs for e-mail send the link's form by themselves when their user asks (RFC 8058), signed in or
not.
"""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from webapp.pages.confirming import Question, ask
from webapp.pages.http import current_user, signed_in
from webapp.people.notifications.services import choose_topics
from webapp.people.notifications.unsubscribing import switch_off, topic_of
from webapp.teaching.courses.permissions import is_staff_anywhere


@csrf_exempt  # the token says whose choice it is; a program for e-mail has no cookie
@require_http_methods(["GET", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Switch a topic off for the reader of an e-mail, once it was asked for."""
    topic = topic_of(token)
    if topic is None:
        raise Http404("not a link of ours")
    if request.method != "POST":
        question = Question(
            title="Get no more of these e-mails?",
            effects=(f"You get no e-mail any more when: {topic.label}.",),
            undoing="You can switch them on again on your profile.",
            button="Switch off these e-mails",
            back=reverse("home"),
        )
        return ask(request, question)
    switch_off(token)
    messages.success(request, "You get no more of these e-mails.")
    return redirect("home")


@signed_in("POST")
def choose(request: HttpRequest) -> HttpResponse:
    """Save which e-mails the user wants."""
    user, wanted = current_user(request), request.POST.getlist("topic")
    choose_topics(user=user, wanted=wanted, is_staff=is_staff_anywhere(user))
    messages.success(request, "Your choice of e-mails is saved.")
    return redirect("accounts:profile")
