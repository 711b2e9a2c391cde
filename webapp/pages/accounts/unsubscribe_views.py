"""The page behind the link of e-mails by which their reader switches a topic off.

Programs for e-mail send its form by themselves when their user asks (RFC 8058), signed in or not.
"""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from webapp.notifications.unsubscribing import switch_off, topic_of
from webapp.pages.confirming import Question, ask


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
