"""Numbers in sentences, for pages and the command line alike."""

__all__ = ["counted", "share"]


def counted(count: int, noun: str) -> str:
    """``1 game``, ``2 games``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def share(part: int, whole: int) -> str:
    """``3 of 1000 (0.3 %)``; without a percentage of none.

    Only none is ``0 %`` and only all is ``100 %``, however close others come.
    """
    if not whole:
        return f"{part} of {whole}"
    percent = 100 * part / whole
    if part and percent < 0.1:
        return f"{part} of {whole} (< 0.1 %)"
    if part < whole and percent > 99.9:
        return f"{part} of {whole} (> 99.9 %)"
    return f"{part} of {whole} ({percent:.3g} %)"
