// included by Player.h, as the project has only headers
Player::Player() : mySize(HAND_SIZE), theirSize(0), lastBoard(NUM_COLORS, 0), lastHints(MAX_HINTS), lastFuses(3), lastDeck(50) {
	myHand = new CardInfo*[HAND_SIZE]; partnerInfo = new CardInfo*[HAND_SIZE];
	FOR(i, HAND_SIZE) { myHand[i] = new CardInfo; partnerInfo[i] = NULL; }
	discards = new int[NUM_COLORS * (NUM_NUMBERS + 1)];
	for (int i = 0; i < NUM_COLORS * (NUM_NUMBERS + 1); i++) discards[i] = 0;
}
Player::Player(const Player& other) { }
Player::~Player() { clear(); }
Player& Player::operator=(const Player& rhs) { if (this != &rhs) { clear(); copy(rhs); } return *this; }
void Player::clear() {
	FOR(i, mySize) delete myHand[i];
	FOR(i, theirSize) delete partnerInfo[i];
	delete[] myHand; delete[] partnerInfo; delete [] discards;
}
void Player::copy(const Player& other) {
	mySize = other.mySize; theirSize = other.theirSize;
	myHand = new CardInfo*[HAND_SIZE]; partnerInfo = new CardInfo*[HAND_SIZE];
	FOR(i, mySize) myHand[i] = new CardInfo(*other.myHand[i]);
	FOR(i, theirSize) partnerInfo[i] = new CardInfo(*(other.partnerInfo[i]));
	discards = new int[NUM_COLORS * (NUM_NUMBERS + 1)];
	std::copy(other.discards, other.discards + NUM_COLORS * (NUM_NUMBERS + 1), discards);
	lastBoard = other.lastBoard; partnerHand = other.partnerHand;
	lastHints = other.lastHints; lastFuses = other.lastFuses; lastDeck = other.lastDeck;
}

void Player::tell(Event* e, vector<int> board, int hints, int fuses, vector<Card> oHand, int deckSize)
{
	DEBUG_PRINT("told " << Strategy::nameOf(e->getAction()) << " board " << vectorToString(board));
	lastBoard = board; lastHints = hints; lastFuses = fuses; lastDeck = deckSize;
	partnerHand = oHand;
	int action = e->getAction();
	if (action == DRAW) {
		DrawEvent* d = (DrawEvent*) e;
		if (theirSize < HAND_SIZE) partnerInfo[theirSize++] = new CardInfo();
	}
	else if (action == PLAY || action == DISCARD) {
		bool mine; int where; Card c; bool good = false;
		if (action == PLAY) { PlayEvent p = *static_cast<PlayEvent*>(e); mine = p.wasItThisPlayer; where = p.position; c = p.c; good = p.legal; }
		else { DiscardEvent & p = *(DiscardEvent*)e; mine = p.wasItThisPlayer; where = p.position; c = p.c; lastHints = MAX(lastHints, min(hints + 1, MAX_HINTS)); }
		if (!good) discards[c.color * (NUM_NUMBERS + 1) + c.number]++;
		CardInfo** hand = mine ? myHand : partnerInfo; int & size = mine ? mySize : theirSize;
		delete hand[where];
		for (int i = where; i + 1 < size; i++) hand[i] = hand[i + 1];
		size--;
		if (mine && deckSize > 0) myHand[mySize++] = new CardInfo;
		if (!mine && action == DISCARD) partnerHand.erase(partnerHand.begin() + where);
	}
	else if (action == COLOR_HINT) {
		ColorHintEvent* h = (ColorHintEvent*)e;
		FOR(i, mySize) myHand[i]->hint(find(h->indices.begin(), h->indices.end(), i) != h->indices.end(), true, h->color);
	}
	else if (action == NUMBER_HINT) {
		NumberHintEvent* h = (NumberHintEvent*)e;
		FOR(i, mySize) myHand[i]->hint(count(h->indices.begin(), h->indices.end(), i), false, h->number);
	}
}

bool Player::isDead(const Card & c) {
	if (lastBoard[c.color] >= c.number) return true;
	static int copies[] = { 0, 3, 2, 2, 2, 1 };
	for (int n = lastBoard[c.color] + 1; n < c.number; n++) if (discards[c.color * (NUM_NUMBERS + 1) + n] == copies[n]) return true;
	return false;
}

bool Player::isEndangered(Card c) {
	int copies[6] = {0,3,2,2,2,1};
	return !isDead(c) && discards[c.color * (NUM_NUMBERS + 1) + c.number] == copies[c.number] - 1;
}

Event* Player::ask() {
	while (!candidates.empty()) candidates.pop();
	FOR(i, mySize) { double p = myHand[i]->chance(lastBoard); candidates.push(make_pair(p, -i)); }
	if (candidates.top().first >= Strategy::playThreshold(lastFuses)) return new PlayEvent(-candidates.top().second);
	Event* best = lastHints > 0 ? chooseHint() : NULL;
	if (best) { totalHintsGiven++; return best; }
	if (lastHints == MAX_HINTS) { vector<int> v; return new NumberHintEvent(v, partnerHand[rand() % partnerHand.size()].number); }
	return chooseDiscard(0);
}

int Player::partnerWouldPlay(bool isColor, int what) {
	int which = -1; double best = 0;
	FOR(i, partnerHand.size()) {
		CardInfo after(*partnerInfo[i]);
		after.hint(isColor ? partnerHand[i].color == what : partnerHand[i].number == what, isColor, what);
		double p = after.chance(lastBoard);
		if (p > best) { best = p; which = i; }
	}
	return best >= Strategy::playThreshold(lastFuses) ? which : -1;
}

Event* Player::chooseHint() {
	double bestWorth = 0; int bestWhat = -1; bool bestColor = false;
	FOR(k, 2 * NUM_COLORS) {
		bool isColor = k < NUM_COLORS; int what = isColor ? k : k - NUM_COLORS + 1;
		int touched = 0; double gain = 0;
		FOR(i, partnerHand.size()) {
			bool t = isColor ? partnerHand[i].color == what : partnerHand[i].number == what;
			touched += t;
			CardInfo after(*partnerInfo[i]); after.hint(t, isColor, what);
			if (isPlayable(partnerHand[i])) gain += fabs(after.chance(lastBoard) - partnerInfo[i]->chance(lastBoard));
		}
		if (!touched) continue;
		int w = partnerWouldPlay(isColor, what);
		double worth = gain + (w < 0 ? 0 : isPlayable(partnerHand[w]) ? 2 : -3);
		if (worth > bestWorth + 0.001) { bestWorth = worth; bestWhat = what; bestColor = isColor; }
	}
	if (bestWhat < 0) return 0;
	vector<int> indices;
	FOR(i, partnerHand.size()) {
		bool t = bestColor ? partnerHand[i].color == bestWhat : partnerHand[i].number == bestWhat;
		partnerInfo[i]->hint(t, bestColor, bestWhat);
		if (t) indices.push_back(i);
	}
	if (bestColor) return new ColorHintEvent(indices, bestWhat);
	return new NumberHintEvent(indices, bestWhat);
}

Event* Player::chooseDiscard(int bestWorth) {
	FOR(i, mySize) {
		int c = myHand[i]->theColor(), n = myHand[i]->theNumber();
		if (c >= 0 && n > 0 && isDead(Card(c, n))) return new DiscardEvent(i);
	}
	FixedStack<int, HAND_SIZE> unhinted;
	for (int i = mySize - 1; i >= 0; i--) if (!myHand[i]->hinted) unhinted.push(i);
	if (!unhinted.isEmpty()) return new DiscardEvent(unhinted.pop());
	return new DiscardEvent(0);
}
