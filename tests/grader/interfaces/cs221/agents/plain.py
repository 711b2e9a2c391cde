"""Neither inherits nor infers; answers with lists; prints what it thinks."""


class Anything:
    def __init__(self, index):
        self.me = index

    def getAction(self, state):
        print("thinking", self.me, self.index)
        print(state)
        return list(state.getLegalActions(self.me)[-1])
