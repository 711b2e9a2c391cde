"""House agents for Hearts. They see no more than any other agent."""

NAMES = {
    "low_card": "always the lowest card that is allowed",
    "careful": "ducks under tricks, and discards the queen and high hearts when it can",
    "guarded": "guards the queen, counts, leads what others must take, stops a moon if cheap",
    "sampling": "deals the hidden cards at random, many times, and plays each deal to its end",
}
CHARACTERS = {
    "low_card": ("Lola", "who always plays low"),
    "careful": ("Carla", "a cautious beginner"),
    "guarded": ("Gwen", "who counts cards"),
    "sampling": ("Sam", "who thinks deals through"),
}
RANDOM = False
SHARED = ("_table",)
ALSO = {"sampling": ("_playout", "_worlds", "guarded")}
MS_PER_GAME = {"low_card": 300.0, "careful": 300.0, "guarded": 300.0, "sampling": 5000.0}
