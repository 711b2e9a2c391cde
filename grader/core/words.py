"""Numbers in sentences, for pages and the command line alike."""

__all__ = ["counted", "percent", "share"]


def counted(count: int, noun: str) -> str:
    """``1 game``, ``2 games``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def percent(part: int, whole: int) -> str:
    """``0.3 %``: only none is ``0 %`` and only all is ``100 %``, however close others come."""
    if not whole:
        return "–"
    if part and 1000 * part < whole:
        return "< 0.1 %"
    if part < whole and 1000 * (whole - part) < whole:
        return "> 99.9 %"
    return f"{100 * part / whole:.1f}".removesuffix(".0") + " %"


def share(part: int, whole: int) -> str:
    """``3 of 1000 (0.3 %)``."""
    return f"{part} of {whole} ({percent(part, whole)})" if whole else f"{part} of {whole}"
