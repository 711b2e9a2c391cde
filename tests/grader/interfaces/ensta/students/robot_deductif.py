"""Robot déductif : garde pour chaque carte de sa main les possibilités."""

import collections
import copy
import itertools
import math
import sys
import time

import hanabi
from hanabi.ai import AI

try:
    import numpy as np

    mean = np.mean
except ImportError:
    print("numpy n'est pas là")

    def mean(l):
        l = list(l)
        return sum(l) / len(l)


couleurs = list(hanabi.deck.Color)
TOUTES = [(c, n) for c in couleurs for n in range(1, 6)]
lettre = lambda c: str(c)[0]


class Deduction:
    "les possibilités d'une carte"

    def __init__(self, card):
        self.card = card
        self.vues = set(TOUTES)

    def maj(self, compte):
        self.vues = {
            (c, n)
            for (c, n) in TOUTES
            if (not self.card.color_clue or self.card.color_clue == lettre(c))
            and (not self.card.number_clue or self.card.number_clue == str(n))
            and compte[lettre(c) + str(n)] < hanabi.deck.Deck.card_count[n]
        }
        return self.vues


class Base(AI):
    def __init__(self, game):
        super().__init__(game)
        self.temps = []
        self.coups = collections.deque(maxlen=10)

    def compter(self):
        compte = collections.Counter(map(str, self.other_players_cards))
        compte += collections.Counter([str(c) for c in self.game.discard_pile.cards])
        for couleur, hauteur in self.game.piles.items():
            for n in range(1, int(hauteur) + 1):
                compte["%s%d" % (lettre(couleur), n)] += 1
        return compte

    def simuler(self, numero):
        """on regarde ce que deviendrait le jeu sans la carte ; pop en pioche une autre"""
        jeu = copy.deepcopy(self.game)
        jeu.current_hand.pop(numero)
        jeu.quiet = True
        return len(jeu.current_hand)


class RobotDeductif(Base):
    seuil = 0.8

    def play(self):
        debut = time.time()
        jeu = self.game
        compte = self.compter()
        probas = []
        for i, carte in enumerate(jeu.current_hand.cards):
            poss = Deduction(carte).maj(compte)
            p = mean([1.0 if jeu.piles[c] + 1 == n else 0.0 for c, n in poss]) if poss else 0.0
            morte = all([n <= jeu.piles[c] for c, n in poss])
            entropie = math.log(max(1, len(poss)))
            probas.append((p, morte, entropie, i + 1))
        assert self.simuler(1) == len(probas) - (not jeu.deck.cards)
        meilleur = max(probas)
        coup = self.choisir(jeu, probas, meilleur)
        self.temps.append(time.time() - debut)
        self.coups.append(coup)
        print(jeu.current_player_name[4:-4], "joue", coup, "en", self.temps[-1], file=sys.stderr)
        return coup

    def choisir(self, jeu, probas, meilleur):
        seuil = self.seuil if jeu.red_coins < 2 else 0.99
        if meilleur[0] >= seuil:
            return f"p{meilleur[3]}"
        if jeu.blue_coins > 0:
            indice = self.meilleur_indice()
            if indice:
                return indice
        if jeu.blue_coins == 8:
            c = jeu.hands[1].cards[-1]
            return "c" + str(c.number)
        for p, morte, _, i in probas:
            if morte:
                return "d" + str(i)
        sans = [t for t in probas if not jeu.current_hand.cards[t[3] - 1].number_clue]
        p, _, e, i = min(sans or probas, key=lambda t: (t[0], t[3]))
        return "d{}".format(i)

    def meilleur_indice(self):
        jeu = self.game
        possibles = []
        for (k, main), sorte in itertools.product(enumerate(jeu.hands[1:], 1), ("number", "color")):
            for carte in main.cards:
                if jeu.piles[carte.color] + 1 != carte.number:
                    continue
                if sorte == "number" and not carte.number_clue:
                    touche = sum(
                        [1 for c in main.cards if c.number == carte.number and not c.number_clue]
                    )
                    possibles += [(touche + 5, -k, "c%d%d" % (carte.number, k))]
                elif sorte == "color" and not carte.color_clue:
                    touche = len([c for c in main.cards if c.color == carte.color])
                    possibles += [(touche + 3, -k, "c%s%d" % (lettre(carte.color), k))]
        return max(possibles)[2] if possibles else None


if __name__ == "__main__":
    scores = []
    for essai in range(100):
        game = hanabi.Game(2)
        game.quiet = True
        ai = RobotDeductif(game)
        game.ai = ai
        game.run()
        scores.append(game.score)
    print(sum(scores) / len(scores))
