"""The holder of a hand decodes exactly what was encoded about it."""

from hypothesis import given
from hypothesis import strategies as st

from firebox.hanabi import ALL_CARDS, Card
from grader.core.games.hanabi.agents._hats import decode, encode
from grader.core.games.hanabi.agents._knowledge import ALL, BIT, CARD, CardTable

FIREWORKS = st.fixed_dictionaries({color: st.integers(0, 4) for color in "RYGWB"})
FACES = st.lists(st.sampled_from([BIT[card] for card in ALL_CARDS]), min_size=2, max_size=5)
MODULI = st.integers(2, 20)


def masks_for(faces: list[int], noise: list[int], table: CardTable) -> list[int]:
    """Some public knowledge that is true of a hand."""
    return [(mask & ALL | face) & table.left.one for face, mask in zip(faces, noise, strict=False)]


@given(FIREWORKS, FACES, st.lists(st.integers(1, ALL), min_size=5, max_size=5), MODULI)
def test_the_holder_learns_what_the_speaker_meant(
    fireworks: dict[str, int], faces: list[int], noise: list[int], modulus: int
) -> None:
    table = CardTable(fireworks, [])
    # Hands hold only cards that are left.
    faces = [face for face in faces if table.left.one & face]
    spoken = masks_for(faces, noise, table)
    heard = list(spoken)
    number = encode(spoken, faces, table, modulus)
    assert 0 <= number < modulus
    decode(heard, number, table, modulus)
    assert heard == spoken


@given(FIREWORKS, FACES, MODULI)
def test_learned_cards_are_right(fireworks: dict[str, int], faces: list[int], modulus: int) -> None:
    table = CardTable(fireworks, [])
    faces = [face for face in faces if table.left.one & face]
    masks = masks_for(faces, [ALL] * 5, table)
    encode(masks, faces, table, modulus)
    assert all(mask & face for mask, face in zip(masks, faces, strict=True))


def test_one_number_finds_the_only_card_that_fits() -> None:
    table = CardTable(dict.fromkeys("RYGWB", 0), [])
    faces = [BIT[Card.parse(card)] for card in ("G3", "W4", "R1", "B2", "B4")]
    masks = [ALL] * 5
    encode(masks, faces, table, 8)
    assert masks[2] & ~table.playable == 0
    assert all(CARD[face].rank > 1 for face in faces if face & ~table.playable)
