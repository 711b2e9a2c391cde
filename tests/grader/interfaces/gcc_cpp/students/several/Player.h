/* COMP 321 project 2: Hanabi.   Player.h
   The first hinted card from the left is meant to be played.  */
#ifndef _PLAYER_H
#define _PLAYER_H
#include <string>
#include <vector>
#include <map>
#include <queue>
#include <cmath>
#include <ctime>
#include "Card.h"
#include "Events.h"
#include "GameConstants.h"
#include "Utility.h"
#include "Knowledge/CardInfo.h"
using namespace std;

#define FOR(i, n) for (int i = 0; i < (int)(n); i++)
#define DEBUG_PRINT(x) if (debugging) { cout << x << endl; }
#define MAX(a,b) ((a)>(b)?(a):(b))

bool debugging = false;
int totalHintsGiven = 0;		// for statistics

class Player
{
public:
	Player();
	Player(const Player& other);
	~Player();
	Player& operator=(const Player& rhs);
	void tell(Event* e, vector<int> board, int hints, int fuses, vector<Card> oHand, int deckSize);
	Event* ask();
private:
	void copy(const Player& other);
	void clear();
	bool isPlayable(Card c) { return lastBoard[c.color] == c.number - 1; }
	bool isDead(const Card & c);
	bool isEndangered(Card c);
	Event* chooseHint();
	Event* chooseDiscard();
	Event * chooseDiscard(int bestWorth);
	int partnerWouldPlay(bool isColor, int what);

	CardInfo** myHand;			// raw, by hand
	CardInfo** partnerInfo;
	int mySize, theirSize;
	int * discards;				// 25 counters
	vector<int> lastBoard;
	vector<Card> partnerHand;
	int lastHints, lastFuses, lastDeck;
	priority_queue<pair<double, int> > candidates;
	friend struct Strategy;
};

#include "Strategy.h"
#include "Player.cpp"
#endif
