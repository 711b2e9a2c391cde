"""Text that came from outside, on its way into the database."""


def storable(text: str, *, characters: int) -> str:
    """At most so many characters, and no NUL: PostgreSQL has no place for it in a text."""
    return text[:characters].replace("\x00", "\N{SYMBOL FOR NULL}")
