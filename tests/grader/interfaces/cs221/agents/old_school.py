# Python 2 as it was written: print statements, whole division, lists from filter, commas in except.
from agent import Agent
import util, string

class OldSchool(Agent):
    "An agent of those days."
    def __init__(self, index):
	Agent.__init__(self, index)
        self.counts = util.Counter()

    def getAction(self, gameState):
        actions = gameState.getLegalActions(self.index)
        print "agent", self.index, "of", gameState.getNumAgents(),
        print "has", len(actions)
        for action in actions:
            self.counts[action[0]] += 1
        for kind, count in self.counts.iteritems():
            assert isinstance(count, (int, long)) and isinstance(kind, basestring)
        assert self.counts.has_key("play") and 7 / 2 == 3 and -7 / 2 == -4
        assert 7.0 / 2 == 3.5
        clues = filter(lambda (kind, first): kind != "play", [a[:2] for a in actions])
        middle = len(clues) / 2
        middle /= 2
        assert clues[middle] in clues
        ordered = sorted(xrange(5), cmp=lambda a, b: cmp(b, a))
        assert ordered == [4, 3, 2, 1, 0] and ordered <> range(5)
        ordered.sort(lambda a, b: cmp(a, b))
        assert ordered == range(5) and map(None.__class__, []) == []
        assert reduce(lambda a, b: a + b, ordered) == 10
        try:
            raise ValueError, "nothing"
        except ValueError, error:
            assert str(error) == "nothing"
        for action in actions:
            if action[0] == "steal":
                raise "no such thing", action
        partial = gameState.data.agentState[self.index].peek()
        partial.sort()
        assert partial[0] == min(partial) and sorted([2, None, 1]) == [None, 1, 2]
        assert self.counts.keys()[0] in self.counts and 0777 == 511L
        assert apply(max, (1, 2)) == 2 and `7` == "7" and round(0.5) == 1.0
        exec "answer = 42"
        assert answer == 42
        numbers = [a for a in actions if a[0] == "number"]
        return numbers[0] if numbers else ("discard", 0)
