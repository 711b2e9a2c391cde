"""Names and the way back."""

import re
from collections.abc import Iterable
from html import escape
from typing import Any

from django import template
from django.contrib.messages.storage.base import Message
from django.template import Context
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from grader.house.catalogue import AGENTS, title_of
from grader.results.grading_scheme import GradingScheme
from webapp.base.providers import Provider
from webapp.pages.team_icons import disc_of, house_disc

register = template.Library()


register.filter("agent_title", title_of)


@register.filter
def scheme_words(scheme: GradingScheme) -> str:
    """A grading scheme in a few sentences, with the opponents' names for people."""
    return scheme.describe(title_of)


@register.filter
def agent_character(name: str) -> str:
    """The words after a house agent's name: ``a careful partner``."""
    return AGENTS[name].character if name in AGENTS else "a house agent"


@register.filter
def breakable(name: str) -> SafeString:
    """A house agent's name, which may break after the game on a narrow screen."""
    return format_html_join(SafeString("/<wbr>"), "{}", ((part,) for part in name.split("/")))


@register.simple_tag(takes_context=True)
def current(context: Context, section: str) -> SafeString:
    """Marks the navigation entry of the page's section."""
    if context.get("nav") != section:
        return SafeString("")
    return SafeString(' aria-current="true"')


@register.inclusion_tag("components/head.html", takes_context=True)
def page_head(context: Context) -> dict[str, Any]:
    """The page's heading, from its blocks: where it is in the site, or its title, by default."""
    parts = ("head_class", "eyebrow", "lede", "actions")
    return {
        "heading": _block(context, "heading", "here", "title"),
        **{name: _block(context, name) for name in parts},
    }


@register.inclusion_tag("components/crumbs.html", takes_context=True)
def crumbs(context: Context, **changed: Any) -> dict[str, Any]:
    """The way back, to the page's block ``here``; empty for a page without it."""
    known = {name: context.get(name) for name in ("course", "assignment")}
    return {**known, "here": _block(context, "here"), **changed}


def _block(context: Context, *names: str) -> SafeString:
    """Return the first of the page's blocks that says something."""
    blocks = context.render_context[BLOCK_CONTEXT_KEY]
    filled = (block.render(context).strip() for name in names if (block := blocks.get_block(name)))
    return SafeString(next(filter(None, filled), ""))


@register.simple_tag
def provider_url(provider: Provider, next: str | None = None) -> str:  # noqa: A002 - as the query has it
    """The address that leads to a sign-in provider, and from there to the page wanted."""
    address = reverse(provider.login_view, args=[provider.id])
    return f"{address}?{urlencode({'next': next})}" if next else address


@register.inclusion_tag("components/undo.html", takes_context=True)
def undo_button(context: Context, message: Message) -> dict[str, Any]:
    """The form that undoes the act of a message, if it can be undone."""
    act = re.search(r"\bundo-([0-9]+)\b", message.extra_tags or "")
    request = context.get("request")
    return {
        "act": int(act[1]) if act else None,
        "back": request.get_full_path() if request else "",
    }


@register.inclusion_tag("components/post_button.html")
def post_button(label: str, view: str, *args: object, classes: str = "") -> dict[str, str]:
    """A form of one button, which posts to a view."""
    return {"label": label, "address": reverse(view, args=args), "classes": classes}


@register.simple_tag
def choose(field: str, key: int, name: str) -> SafeString:
    """The box that chooses a ``team`` or a ``student``; a refreshed page keeps it ticked."""
    return format_html(
        '<input type="checkbox" name="{}" form="chosen" value="{}" id="choose-{}-{}" hx-preserve'
        ' aria-label="Choose {}">',
        field, key, field, key, name,
    )  # fmt: skip


@register.simple_tag
def options(choices: Iterable[tuple[int, str]]) -> SafeString:
    """Return the options of a form from keys and labels; a loop is slow for a thousand."""
    return SafeString(
        "\n".join(f'<option value="{int(key)}">{escape(words)}</option>' for key, words in choices)
    )


@register.simple_tag
def disc(alias: str) -> SafeString:
    """The disc of a team's alias; that of house agents for no alias."""
    return disc_of(alias) if alias else house_disc()
