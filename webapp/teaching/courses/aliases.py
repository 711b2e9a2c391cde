"""Names for leaderboards: random, easy to remember, and saying nothing about anybody."""

import secrets
from typing import Final

from webapp.teaching.courses.models import Assignment, Team

_COLOUR_WORDS: Final = """
    Amber Ash Azure Bronze Cedar Cobalt Copper Coral Crimson Dusky Ebony Emerald Fawn Flint Golden
    Hazel Indigo Ivory Jade Lilac Maple Marble Ochre Olive Opal Pearl Plum Russet Sable Saffron
    Scarlet Silver Slate Teal Topaz Umber Velvet Violet Walnut Willow
"""
_BIRDS: Final = """
    Avocet Bittern Bunting Condor Crane Curlew Dipper Dove Dunlin Egret Falcon Finch Gannet Godwit
    Goshawk Grebe Harrier Heron Hoopoe Ibis Jackdaw Kestrel Kite Lapwing Linnet Magpie Martin
    Merlin Nuthatch Oriole Osprey Owl Petrel Pipit Plover Puffin Quail Raven Redstart Robin Rook
    Shrike Siskin Snipe Sparrow Starling Stork Swallow Swift Tern Thrush Wagtail Warbler Whimbrel
    Wren
"""
COLOURS: Final = tuple(_COLOUR_WORDS.split())
"""The first words of all aliases."""
WORDS: Final = tuple(f"{colour} {bird}" for colour in COLOURS for bird in _BIRDS.split())
"""A bit more than two thousand."""


def free_alias(assignment: Assignment) -> str:
    """A random alias that no team of the assignment has.

    Call it in a transaction that has locked the assignment. Numbers come into play only when every
    pair of words is taken.
    """
    taken = set(Team.objects.filter(assignment=assignment).values_list("alias", flat=True))
    free = [alias for alias in WORDS if alias not in taken]
    number = 2
    while not free:
        free = [f"{alias} {number}" for alias in WORDS if f"{alias} {number}" not in taken]
        number += 1
    return secrets.choice(free)
