# -*- coding: utf-8 -*-
"""
IN104 - projet Hanabi. Stratégie de recommandation (Cox et al.) : un indice donne
à chaque joueur une action, par une somme modulo 8.
Auteurs : deux élèves de l'ENSTA
"""

import hanabi
from hanabi.deck import *
import itertools, copy, random

DEBUG = False
NB_ACTIONS = 8
memoire = {}  # globale : joueur -> dernière recommandation


class RecommandationStrategy(hanabi.ai.AI):
    """jouer 1..4, défausser 1..4 ; c'est le même objet pour tous les joueurs"""

    def __init__(self, game):
        hanabi.ai.AI.__init__(self, game)
        self.indice_depuis = 0  # cartes posées depuis le dernier indice
        self.reco = dict([(p, None) for p in game.players])
        self.fautes = 0
        self.ordre = list(game.players)
        global memoire
        memoire = {}

    # ---------------------------------------------------------------- outils
    def jouable(self, carte):
        return self.game.piles[carte.color] + 1 == carte.number

    def morte(self, carte):
        """la carte ne servira plus jamais"""
        if carte.number <= self.game.piles[carte.color]:
            return True
        for n in range(int(self.game.piles[carte.color]) + 1, carte.number):
            perdues = [
                c for c in self.game.discard_pile.cards if c.color == carte.color and c.number == n
            ]
            if len(perdues) == self.game.deck.card_count[n]:
                return True
        return False

    def indispensable(self, carte):
        pareilles = len([c for c in self.game.discard_pile.cards if str(c) == str(carte)])
        return pareilles == self.game.deck.card_count[carte.number] - 1 and not self.morte(carte)

    def recommandation(self, main):
        """nombre de 0 à 7"""
        l = [(c.number, i) for i, c in enumerate(main.cards[:4]) if self.jouable(c)]
        cinq = [i for n, i in l if n == 5]
        if cinq != []:
            return cinq[0]
        if l != []:
            l.sort(key=lambda x: x[0])
            return l[0][1]
        for i, c in enumerate(main.cards[:4]):
            if self.morte(c):
                return 4 + i
        liste = [(-c.number, i) for i, c in enumerate(main.cards[:4]) if not self.indispensable(c)]
        if liste:
            return 4 + min(liste)[1]
        return 4

    def donner_indice(self):
        jeu = self.game
        somme = sum([self.recommandation(m) for m in self.other_hands]) % NB_ACTIONS
        for joueur, m in zip(jeu.players[1:], self.other_hands):
            # chaque joueur retrouve son action : il voit toutes les autres mains
            self.reco[joueur] = self.recommandation(m)
            memoire[joueur] = (somme, len(jeu.moves))
        self.indice_depuis = 0
        # on choisit n'importe quel indice valable
        for hand, joueur in zip(self.other_hands, jeu.players[1:]):
            for c in hand.cards:
                if not c.number_clue:
                    return "c%d%s" % (c.number, joueur[0])
                if not c.color_clue:
                    return "c%s%s" % (str(c.color)[0], joueur[0])
        c = self.other_players_cards[0]
        return "c" + str(c.number)

    # ---------------------------------------------------------------- jeu
    def play(self):
        jeu = self.game
        copie = copy.deepcopy(jeu.piles)
        assert copie == jeu.piles
        moi = jeu.current_player_name[4:-4]
        r = self.reco[moi]
        if DEBUG:
            jeu.log(moi, "recommandation", r, jeu.current_hand)
            jeu.examine_piles()
        nb = len(jeu.current_hand.cards)
        if r is not None and r < 4 and r < nb:
            if self.indice_depuis == 0 or (self.indice_depuis == 1 and jeu.red_coins < 2):
                self.reco[moi] = None
                self.indice_depuis += 1
                return "p" + str(r + 1)
        if jeu.blue_coins > 0:
            return self.donner_indice()
        if r is not None and r >= 4 and r - 4 < nb:
            self.reco[moi] = None
            return "d%i" % (r - 3)
        return "d1"
