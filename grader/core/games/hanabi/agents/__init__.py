"""House agents for Hanabi. They see no more than any other agent."""

NAMES = {
    "random_legal": "any legal action, each as likely as the others",
    "outer": "plays and discards only what is certain, and hints at the rest",
    "iggi": "plays cards that must fit, hints at cards that fit, discards the oldest card",
    "piers": "plays like Iggi, but takes a risk while it has a life to spare",
    "convention_1": "a hint means that the newest card it touches fits",
    "convention_2": "plays like Connie, and a hint may also mean: keep the card you would discard",
    "convention": "plays like Conrad, and silence means that no card is in danger",
    "recommendation": "every hint says what each of the others should do; made for three or more",
    "information": "hat guessing: every hint tells all the others something about their hands",
}
"""With two players, ``convention`` is the strongest."""
CHARACTERS = {
    "random_legal": ("Randy", "who plays without a plan"),
    "outer": ("Otto", "a timid partner"),
    "iggi": ("Iggi", "a straightforward partner"),
    "piers": ("Piers", "a careful partner"),
    "convention_1": ("Connie", "a partner whose hints mean: play this card"),
    "convention_2": ("Conrad", "a partner whose hints also save cards"),
    "convention": ("Constance", "a partner whose silence also tells something"),
    "recommendation": ("Rhea", "an adviser who tells everybody at once what to do"),
    "information": ("Ines", "a mathematician who hints in code"),
}
SHARED = ("_hats", "_knowledge", "_public", "_rules", "_signals")
ALSO = {"convention_2": ("convention_1",), "convention": ("convention_1", "convention_2")}
