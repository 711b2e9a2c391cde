"""A team's disc, decoration beside its alias: colour and shape follow from the alias's words."""

from functools import lru_cache
from typing import Final

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from webapp.teaching.courses.aliases import COLOURS

_WADERS: Final = """
    avocet bittern crane curlew dunlin egret godwit grebe heron hoopoe ibis lapwing plover snipe
    stork whimbrel
"""
_RAPTORS: Final = "condor falcon goshawk harrier kestrel kite merlin osprey"
_SWALLOWS: Final = "gannet martin petrel swallow swift tern"
_SHAPES: Final = {
    **dict.fromkeys(_WADERS.split(), "wader"),
    **dict.fromkeys(_RAPTORS.split(), "raptor"),
    **dict.fromkeys(_SWALLOWS.split(), "swallow"),
    "owl": "owl",
}
"""Shapes by birds; every other one is a songbird."""
_BIRDS: Final = "img/birds.svg"
_COLOURS: Final = frozenset(colour.lower() for colour in COLOURS)


def disc_of(alias: str) -> SafeString:
    """The disc of an alias such as ``Amber Kestrel``; a plain one for any other name."""
    words = alias.lower().split()
    colour = words[0] if words and words[0] in _COLOURS else "none"
    shape = _SHAPES.get(words[1] if len(words) > 1 else "", "songbird")
    return _disc(colour, shape, static(_BIRDS))


def house_disc() -> SafeString:
    """The disc of every house agent."""
    return _disc("house", "house", static(_BIRDS))


@lru_cache(maxsize=512)
def _disc(colour: str, shape: str, birds: str) -> SafeString:
    return format_html(
        '<svg class="disc disc-{}" viewBox="0 0 32 32" aria-hidden="true">'
        '<circle cx="16" cy="16" r="16"/><use href="{}#{}"/></svg>',
        colour,
        birds,
        shape,
    )
