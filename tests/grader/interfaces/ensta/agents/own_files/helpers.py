def first_playable(game):
    for card in game.hands[1].cards:
        if game.piles[card.color] + 1 == card.number:
            return card
    return None
