"""The picture of a turn for previews of links, drawn from the game's still as PNG.

Programs that show previews take PNG and no SVG. Pillow draws it: it has wheels for every platform
that the site runs on, needs no library of the system, and reads the site's own fonts.
"""

from collections.abc import Sequence
from functools import cache
from io import BytesIO
from typing import Final

from django.conf import settings
from PIL import Image, ImageChops, ImageDraw, ImageFont
from svg.path import Close, Line, Move, parse_path

from grader.core.games.grids import Colour, StillCell, StillGrid
from grader.core.games.presentation import StillCard, StillRow
from webapp.pages.turn_pictures import TurnPicture

_STEPS: Final = 12
"""Lines for each curve."""
_SUITS: Final = str.maketrans("♠♥♦♣", "shdc")
"""As poker players write them: the site's fonts have no suits."""

SIZE: Final = (1200, 630)
"""The size that previews are shown in: https://ogp.me and the pages that read it."""
_FINE: Final = 2
"""Drawn larger and made smaller, for smooth edges."""
_MARGIN: Final = 56
_TOP: Final = 190
"""The top of the first row."""
_LABEL: Final = 190
"""Room for a row's title."""
_GAP: Final = 8
_LINES: Final = 11
"""Lines of a table that is text."""

# The night sky of the viewer, and its cards by day: grader/viewer/static/colours.css.
_NIGHT: Final = "#13232d"
_WORDS: Final = "#f1eee7"
_SOFT: Final = "#b3c0c6"
_FACES: Final = {
    Colour.BACK: ("#0f4656", "#4b8796"),
    Colour.PAPER: ("#fffefb", "#201d19"),
    Colour.RED_PRINT: ("#fffefb", "#b3242f"),
    Colour.RED: ("#b3242f", "#ffffff"),
    Colour.YELLOW: ("#f2bd2c", "#2b2000"),
    Colour.GREEN: ("#1b7442", "#ffffff"),
    Colour.WHITE: ("#ffffff", "#35312a"),
    Colour.BLUE: ("#2353a3", "#ffffff"),
    Colour.BLACK: ("#201d19", "#fffefb"),
}
"""The colours of a card or a piece, and of its print."""
_EMPTY: Final = "#29424f"
_NEW: Final = "#ffd257"


def preview(title: str, shown: TurnPicture) -> bytes:
    """Return the picture of a turn: what was done, and the table after it."""
    width, height = (length * _FINE for length in SIZE)
    image = Image.new("RGB", (width, height), _NIGHT)
    draw = ImageDraw.Draw(image)
    _write(draw, (_MARGIN, 40), title, 48, _WORDS, weight=700)
    _write(draw, (_MARGIN, 112), f"{shown.name}  {shown.sentence}".strip(), 30, _SOFT)
    if shown.rows:
        _draw_rows(image, [row for row, _ in shown.rows if row.cards])
    elif shown.grid:
        _draw_grid(draw, shown.grid)
    else:
        for number, line in enumerate(shown.text.splitlines()[:_LINES]):
            _write(draw, (_MARGIN, _TOP + 36 * number), line, 26, _WORDS)
    _write(draw, (SIZE[0] - 150, 50), "Firebox", 28, _SOFT, weight=600)
    out = BytesIO()
    small = image.resize(SIZE, Image.Resampling.LANCZOS)
    small.quantize(256, dither=Image.Dither.NONE).save(out, "PNG")
    return out.getvalue()


def _draw_rows(image: Image.Image, rows: Sequence[StillRow]) -> None:
    draw = ImageDraw.Draw(image)
    pitch = min((SIZE[1] - _TOP - 24) // max(len(rows), 1), 120)
    for number, row in enumerate(rows):
        top = _TOP + pitch * number
        _write(draw, (_MARGIN, top + pitch // 2 - 22), row.title[:16], 26, _SOFT)
        card_height = pitch - _GAP
        card_width = card_height * 5 // 7
        room = SIZE[0] - 2 * _MARGIN - _LABEL - card_width
        step = min(card_width + _GAP, room / max(len(row.cards) - 1, 1))
        for place, card in enumerate(row.cards):
            corner = (_MARGIN + _LABEL + step * place, float(top))
            _draw_card(image, card, corner, (card_width, card_height))


def _draw_grid(draw: ImageDraw.ImageDraw, grid: StillGrid) -> None:
    """Draw cells in the middle; a letter's ground is its cell, a disc lies in it."""
    columns = max(map(len, grid))
    side = min((SIZE[1] - _TOP - 24) / len(grid), (SIZE[0] - 2 * _MARGIN) / columns, 130)
    left, top = (SIZE[0] - side * columns) / 2, float(_TOP)
    for number, row in enumerate(grid):
        for place, cell in enumerate(row):
            corner = (left + side * place, top + side * number)
            box = [round(each * _FINE) for each in (*corner, corner[0] + side, corner[1] + side)]
            line = _NEW if cell.is_new else _NIGHT
            round_by = round(side * 0.1 * _FINE)
            draw.rounded_rectangle(box, round_by, _EMPTY, outline=line, width=3 * _FINE)
            _draw_piece(draw, cell, corner, side)


def _draw_piece(
    draw: ImageDraw.ImageDraw, cell: StillCell, corner: tuple[float, float], side: float
) -> None:
    if not cell.letter:
        return
    face, ink = _FACES[cell.colour]
    size = round(side * (0.4 if cell.is_disc else 0.62))
    if cell.is_disc:
        rim = side * 0.1
        box = (corner[0] + rim, corner[1] + rim, corner[0] + side - rim, corner[1] + side - rim)
        draw.ellipse([round(each * _FINE) for each in box], face)
    middle = ((corner[0] + side / 2) * _FINE, (corner[1] + side / 2) * _FINE)
    font = _font(size * _FINE, 700)
    draw.text(middle, cell.letter, ink if cell.is_disc else _WORDS, font, anchor="mm")


def _draw_card(
    image: Image.Image, card: StillCard, corner: tuple[float, float], size: tuple[int, int]
) -> None:
    draw = ImageDraw.Draw(image)
    left, top = corner
    width, height = size
    face, ink = _FACES[card.colour]
    box = [round(value * _FINE) for value in (left, top, left + width, top + height)]
    draw.rounded_rectangle(box, round(height * 0.1 * _FINE), face, outline=_NIGHT, width=_FINE)
    if not card.suit:
        inner = [box[0] + 8, box[1] + 8, box[2] - 8, box[3] - 8]
        draw.rounded_rectangle(inner, round(height * 0.06 * _FINE), outline=ink, width=_FINE)
        return
    rank = card.rank.translate(_SUITS)
    rank_height = height // (4 if len(rank) > 2 else 2)
    _write(draw, (left + width * 0.1, top - height * 0.02), rank, rank_height, ink, weight=700)
    if card.path:
        place = (left + width * 0.42, top + height * 0.52)
        _draw_shape(image, card.path, place, height * 0.42, ink)


def _draw_shape(
    image: Image.Image, path: str, corner: tuple[float, float], size: float, ink: str
) -> None:
    """Draw a shape of a grid of 24 by 24. Where two of its outlines overlap there is a hole."""
    mask = Image.new("1", (round(size * _FINE),) * 2)
    scale = mask.width / 24
    for outline in _outlines(path):
        one = Image.new("1", mask.size)
        points = [(point.real * scale, point.imag * scale) for point in outline]
        ImageDraw.Draw(one).polygon(points, fill=1)
        mask = ImageChops.logical_xor(mask, one)
    image.paste(ink, (round(corner[0] * _FINE), round(corner[1] * _FINE)), mask)


@cache
def _outlines(path: str) -> list[list[complex]]:
    """Return the closed outlines of a path. Points are complex numbers: x + y j."""
    outlines: list[list[complex]] = []
    for segment in parse_path(path):
        if isinstance(segment, Move):
            outlines.append([])
        steps = 1 if isinstance(segment, Move | Line | Close) else _STEPS
        outlines[-1] += [segment.point(step / steps) for step in range(1, steps + 1)]
    return outlines


def _write(
    draw: ImageDraw.ImageDraw,
    corner: tuple[float, float],
    words: str,
    size: int,
    ink: str,
    *,
    weight: int = 400,
) -> None:
    """Write a line; one that is too long ends with an ellipsis."""
    font = _font(size * _FINE, weight)
    room = (SIZE[0] - _MARGIN - corner[0]) * _FINE
    while font.getlength(words) > room and len(words) > 1:
        words = words.rstrip("…")[:-1] + "…"
    draw.text((corner[0] * _FINE, corner[1] * _FINE), words, ink, font)


@cache
def _font(size: int, weight: int) -> ImageFont.FreeTypeFont:
    folder = settings.BASE_DIR / "webapp" / "static" / "fonts"
    font = ImageFont.truetype(folder / "source-sans-3-latin.woff2", size)
    font.set_variation_by_axes([weight])
    return font
