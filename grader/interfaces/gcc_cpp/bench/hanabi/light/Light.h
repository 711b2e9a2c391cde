// Does next to nothing and never loses: hints a number while it can, else discards.
class Player {
public:
    Player() : hints(0) {}

    void tell(Event*, vector<int>, int hintsLeft, int, vector<Card> oHand, int) {
        hints = hintsLeft;
        partners = oHand;
    }

    Event* ask() {
        if (hints > 0) {
            return new NumberHintEvent(vector<int>(), partners[0].number);
        }
        return new DiscardEvent(0);
    }

private:
    int hints;
    vector<Card> partners;
};
