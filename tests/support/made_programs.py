"""Programs that nobody wrote: each by a seed, as long as wanted, with no passage of another."""

from random import Random

_SIGNS = ("+", "-", "*", "//", "%", "<", ">", "==", "and", "or")


def program(seed: int, *, functions: int = 30) -> str:
    """Return a Python agent with ``functions`` functions of ten lines."""
    random = Random(seed)  # noqa: S311
    parts = ["import firebox\n\n"]
    parts += [_function(random, f"part_{number}") for number in range(functions)]
    parts.append("\nclass Mine(firebox.Agent):\n    pass\n")
    return "\n".join(parts)


def _function(random: Random, name: str) -> str:
    lines = [_line(random, number) for number in range(random.randint(7, 10))]
    end = f"    return value_{random.randint(0, 6)}\n"
    return "\n".join([f"def {name}(cards, hints):", *lines, end])


def _line(random: Random, number: int) -> str:
    terms = [
        random.choice(("cards[{}]", "hints({})", "{}", "len(cards[{}:])")).format(
            random.randint(0, 9)
        )
        for _ in range(random.randint(2, 5))
    ]
    expression = terms[0]
    for term in terms[1:]:
        expression += f" {random.choice(_SIGNS)} {term}"
    form = random.choice(("value_{} = {}", "if {1}: value_{0} = 1", "value_{} = [{}]"))
    return "    " + form.format(number, expression)


def renamed(text: str) -> str:
    """Return the same program with other names, comments and blank lines."""
    lines = text.replace("value_", "amount").replace("cards", "hand").replace("hints", "told")
    return "# All my own\n" + lines.replace("\n    ", "\n\n        ").replace(
        "def ", "# Next\ndef "
    )
