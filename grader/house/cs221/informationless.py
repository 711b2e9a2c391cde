"""A clue encodes a number for all other players, whatever it points at.

Every other player has a value: 0, or which of its cards should be played, counted from 1. The sum
of the values, to a modulus, is told by whom a clue is for and of which kind it is. Who receives it
sees all the values but its own, and so knows that too. A modulus of 5 has a number for each of four
cards and for none; with fewer than four players there are only two kinds of clue for each receiver,
and the last cards of a hand are never told.

As in the paper, a value is made 0 when a player further on holds the same card, lest both play it.
That does harm: the holder does not see its own copy, adds the value up, and gets its own wrong.
"""

from grader.interfaces.cs221_python.firebox_cs221.simulator import Action, Agent, GameState

from ._shared import clues, is_clue, others

SPARES_COPIES = True
"""True if values are made 0 for the copies that others hold."""


def modulus(state: GameState) -> int:
    """The number of numbers that a clue can encode."""
    return min(5, 2 * (state.getNumAgents() - 1))


def number_of(state: GameState, sender: int, clue: Action) -> int:
    """The number that a clue tells."""
    distance = (clue[1] - sender) % state.getNumAgents()
    return int(2 * (distance - 1) + (clue[0] == "number")) % modulus(state)


class InformationlessStrategy(Agent):
    """Plays the card that the last clue encoded, if nobody has played since."""

    def inference(self, gameState: GameState, agentIndex: int, action: Action) -> None:
        """Note the card that a clue is about; forget it when the table changes."""
        hand = gameState.data.agentState[self.index]
        if not is_clue(action):
            self.review(gameState, action)
        elif agentIndex != self.index:
            told = number_of(gameState, agentIndex, action)
            mine = (told - sum(self.values(gameState, agentIndex))) % modulus(gameState)
            hand.infer[:] = [position + 1 == mine for position in range(len(hand.cards))]

    def getAction(self, gameState: GameState) -> Action:
        """Play the card that was told; else tell; else discard the oldest."""
        for i, told in enumerate(gameState.data.agentState[self.index].infer):
            if told:
                return ("play", i)
        clue = self.clue(gameState)
        return ("discard", 0) if clue is None else clue

    def review(self, gameState: GameState, action: Action) -> None:
        """Doubt a hint once somebody plays."""
        if action[0] == "play":
            hand = gameState.data.agentState[self.index]
            hand.infer[:] = [None] * len(hand.cards)

    def clue(self, gameState: GameState) -> Action | None:
        """A clue that tells the sum of the values."""
        total = sum(self.values(gameState, self.index)) % modulus(gameState)
        fitting = [
            clue
            for clue in clues(gameState, self.index)
            if number_of(gameState, self.index, clue) == total
        ]
        return self.choose(gameState, fitting) if fitting else None

    def choose(self, gameState: GameState, fitting: list[Action]) -> Action:
        """One of several clues that tell the same."""
        del gameState
        return fitting[0]

    def values(self, gameState: GameState, sender: int) -> list[int]:
        """The values of all players but the sender and oneself."""
        players = [player for player in others(gameState, sender) if player != self.index]
        values = []
        for at, player in enumerate(players):
            value = _value(gameState, player)
            if value and SPARES_COPIES:
                card = gameState.data.agentState[player].cards[value - 1]
                later = [gameState.data.agentState[player].cards for player in players[at + 1 :]]
                value = 0 if any(card in cards for cards in later) else value
            values.append(value)
        return values


def _value(state: GameState, player: int) -> int:
    """Return the lowest card that can be played; 0 for none."""
    cards = state.data.agentState[player].cards[: modulus(state) - 1]
    fitting = [(card[1], i) for i, card in enumerate(cards) if state.isPlayable(card)]
    return min(fitting)[1] + 1 if fitting else 0
