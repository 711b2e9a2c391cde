WEIGHTS = {"play": 1, "discard": 2, "color": 3, "number": 4}
