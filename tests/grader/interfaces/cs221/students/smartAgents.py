#!/usr/bin/env python
# smartAgents.py
# CS221 final project.  Expectimax with a hand made evaluation function.
import sys, time, copy
import random, util
from agent import Agent
from util import Counter
from collections import defaultdict

DEBUG = 1
WEIGHTS = {'score': 10, 'clue': 1.5, 'danger': -4L, 'known': 0.8}
nodesExpanded = 0
cache = {}

class SearchTimeout(Exception):
	def __init__(self, depth):
		self.depth = depth

class Node:
    """ old style class, compared by value """
    def __init__(self, value, action):
        self.value, self.action = value, action
    def __cmp__(self, other):
        return cmp(self.value, other.value)
    def __repr__(self):
        return `self.value` + ":" + str(self.action)

def scoreEvaluationFunction(state):
    return state.getScore()

def betterEvaluationFunction(gameState, me = 0):
    """
      Counts score, clues, dangerous cards in the trash, known cards.
    """
    features = util.Counter()
    features['score'] = gameState.getScore()
    features['clue'] = gameState.data.clue
    for (color, number), n in gameState.data.trash.state.iteritems():
        copies = gameState.rule.numNumber[number]
        if n >= copies and not gameState.data.table.check((color, number)):
            features['danger'] += gameState.rule.numColor - number
    for i in xrange(gameState.getNumAgents()):
        hand = gameState.data.agentState[i]
        for j, card in enumerate(hand.peek()):
            if card == (None, None): continue
            color, number = card
            if color != None and number != None: features['known'] += 1
            elif number <> None and gameState.isPlayable(card): features['known'] += 1
            else: features['known'] += 1 / 2.0
    total = 0
    for k in features.keys():
        total += WEIGHTS[k] * features[k]
    return total

class MultiAgentSearchAgent(Agent):
    "base of the search agents"
    def __init__(self, index = 0, evalFn = 'betterEvaluationFunction', depth = '1'):
        Agent.__init__(self, index)
        self.index = index
        self.evaluationFunction = globals()[evalFn]
        self.depth = int(depth)

    def getAction(self, gameState):
        util.raiseNotDefined()

class ExpectimaxAgent(MultiAgentSearchAgent):

    def registerInitialState(self, gameState):
        self.history = []
        self.lastTold = defaultdict(list)
        print 'Agent %d starts, %d agents, deck %d' % (self.index, gameState.getNumAgents(), len(gameState.data.deck))

    def inference(self, gameState, agentIndex, action):
        self.history.append((agentIndex, action))
        me = gameState.data.agentState[self.index]
        if action[0] in ['color', 'number'] and action[1] == self.index:
            kind = ['color', 'number'].index(action[0])
            touched = filter(lambda i: me.know[i][kind] and me.peek()[i][kind] == action[2], range(len(me.cards)))
            if touched:
                # newest touched card is meant to be played
                me.infer[touched[-1]] = 'play'
        if action[0] == 'play':
            for i in range(len(me.cards)):
                if me.infer[i] == 'play' and len(filter(None, me.infer)) > 2:
                    me.infer[i] = None

    def getAction(self, gameState):
        global nodesExpanded
        start = time.time()
        me = gameState.data.agentState[self.index]
        hand = me.peek()
        if DEBUG: print >>sys.stderr, self.index, 'sees', hand, 'infer', me.infer
        for i, card in enumerate(hand):
            if gameState.isPlayable(card): return ('play', i)
        if gameState.data.clue > 1 or gameState.data.deck.isEmpty():
            for i in xrange(len(hand)):
                if me.infer[i] == 'play' and self.mayFit(gameState, hand[i]):
                    return ('play', i)
        nodes = []
        for action in gameState.getLegalActions(self.index):
            if action[0] == 'play' : continue
            if action[0] == 'discard' and gameState.data.clue >= gameState.rule.numClue: continue
            try:
                nodes.append(Node(self.value(gameState, action, self.depth), action))
            except SearchTimeout, e:
                print "timed out at depth", e.depth
                break
            nodesExpanded += 1
        nodes.sort()
        if not nodes:
            raise ValueError, "no action at all"
        best = max(nodes)
        ties = [n for n in nodes if not cmp(n, best)]
        assert nodes[-1] == best
        if DEBUG:
            print "best of", len(nodes), "is", best, "in", time.time() - start,
            print "s,", nodesExpanded, "nodes"
        return random.choice(ties).action

    def mayFit(self, gameState, (color, number)):
        tops = gameState.data.table.state
        if number is None and color is None: return 0
        if number is None: return tops[color] < 4
        return tops.count(number - 1) > 0 if color is None else tops[color] + 1 == number

    def value(self, gameState, action, depth):
        if depth < 0: raise SearchTimeout(depth)
        successor = gameState.deepCopy().generateSuccessor(self.index, action)
        v = self.evaluationFunction(successor, self.index)
        if action[0] in ('color', 'number'):
            v += self.clueValue(gameState, action)
        elif action[0] == 'discard':
            card = gameState.data.agentState[self.index].peek()[action[1]]
            if gameState.isDiscardable(card): v += 3
            elif gameState.isDangerous(card): v -= 20
            elif card != (None, None): v -= 2
            v -= action[1] / 10.
        return v

    def clueValue(self, gameState, (kind, player, what)):
        hand = gameState.data.agentState[player]
        colors, numbers = gameState.getCardStatistics(player)
        touched = (kind == 'color' and colors or numbers)[what]
        new = [i for i in touched if not hand.know[i][kind == 'number']]
        newest = touched[-1]
        if not new: return -5
        if gameState.isPlayable(hand.cards[newest]): return 4 + len(new) / 4.
        return -3

exec "VERSION = %d" % 3
if __name__ == '__main__':
    print "run hanabi.py instead"
