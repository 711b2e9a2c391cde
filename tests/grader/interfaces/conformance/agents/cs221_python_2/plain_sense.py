# Plain sense, for Lin and Xu's simulator, in Python 2. The rules are in ../README.md.
from agent import Agent
import util

class PlainSense(Agent):
    def registerInitialState(self, gameState):
        self.count = util.Counter()
        print "agent", self.index, "of", gameState.getNumAgents()

    def inference(self, gameState, agentIndex, action):
        if action[0] == "play":
            self.count["plays"] += 1

    def getAction(self, gameState):
        data = gameState.data
        tops = data.table.state
        hand = zip(xrange(10), data.agentState[self.index].peek())
        n = gameState.rule.numAgent
        misplays = self.count["plays"] - gameState.getScore()
        others = map(lambda k: (self.index + k) % n, xrange(1, n))
        for i, (color, number) in hand:
            if number is None: continue
            colors = color is None and range(5) or [color]
            if not filter(lambda c: tops[c] <> number - 1, colors):
                return "play", i
        if data.clue > 0:
            for player in others:
                state = data.agentState[player]
                for card, (knowsColor, knowsNumber) in zip(state.cards, state.know):
                    if not data.table.playable(card): continue
                    if not knowsNumber: return "number", player, card[1]
                    if not knowsColor: return "color", player, card[0]
        elif misplays < 2:
            told = filter(lambda (i, (color, number)): color is None and number is not None, hand)
            told = [i for i, (color, number) in told if tops.count(number - 1)]
            if len(told): return "play", told[0]
        if data.clue < gameState.rule.numClue:
            gone = [i for i, card in hand if None not in card and data.table.check(card)]
            bare = [i for i, card in hand if card == (None, None)]
            return "discard", (gone + bare + [0])[0]
        held = {}
        for color, number in data.agentState[others[0]].cards:
            held[color] = held.has_key(color) and held[color] + 1 or 1
        return "color", others[0], sorted(held.keys(), cmp=lambda a, b: cmp(a, b))[0]
