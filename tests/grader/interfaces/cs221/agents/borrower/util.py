OWN = True


def raiseNotDefined():
    raise NotImplementedError
