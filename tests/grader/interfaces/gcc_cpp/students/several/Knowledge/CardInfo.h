#pragma once
#include <cstring>
#include "../Card.h"
#include "../GameConstants.h"
class Player;
enum Certainty { NOTHING = 0, ONE_PART, ALL_OF_IT };
/* what is known of one card */
class CardInfo {
public:
	bool couldBeColor[NUM_COLORS]; bool couldBeNumber[NUM_NUMBERS + 1];
	bool hinted; int age;
	CardInfo() { memset(couldBeColor, true, sizeof couldBeColor); memset(couldBeNumber, true, sizeof(couldBeNumber)); couldBeNumber[0] = false; hinted = false; age = 0; }
	virtual ~CardInfo() {}
	void hint(bool touched, bool isColor, int what) {
		if (touched) hinted = true;
		if (isColor) { for (int i = 0; i < NUM_COLORS; ++i) if ((i == what) != touched) couldBeColor[i] = false; }
		else for (int i = 1; i <= NUM_NUMBERS; ++i) if ((i == what) != touched) couldBeNumber[i] = false;
	}
	int theColor() const { int n = 0, last = -1; for (int i = 0; i < NUM_COLORS; i++) if (couldBeColor[i]) { n++; last = i; } return n == 1 ? last : -1; }
	int theNumber() const { int n = 0, last = -1; for (int i = 1; i <= NUM_NUMBERS; i++) if (couldBeNumber[i]) { n++; last = i; } return n == 1 ? last : -1; }
	Certainty certainty() const { return Certainty((theColor() >= 0) + (theNumber() >= 0)); }
	virtual double chance(const vector<int>& board) const;
};
double CardInfo::chance(const vector<int>& board) const {
	int good = 0, all = 0;
	for (int c = 0; c < NUM_COLORS; c++) for (int n = 1; n <= NUM_NUMBERS; n++)
		if (couldBeColor[c] && couldBeNumber[n]) { all++; if (board[c] + 1 == n) good++; }
	return all ? (double)good / all : 0;
}
