// As it was written long ago, for a lenient compiler: it includes nothing, qualifies what needs none,
// is careless with const, forgets to return, and prints whatever it does.
class Memory;

class Player {
public:
    Player::Player() { turns = 0; hints = 0; strcpyName("veteran"); srand(1); }
    void tell(Event* e, vector<int> board, int hints, int fuses, vector<Card> oHand, int deckSize)
    {
        this->hints = hints;
        hand = oHand;
        cout << "heard of " << e->getAction() << ", " << deckSize << " cards left" << endl;
        printf("%d fuses, ", fuses);
        counted(board);
    }
    Event* ask()
    {
        turns++;
        vector<Card> sorted = hand;
        sort(sorted.begin(), sorted.end(), lower);
        int i;
        for (i = 0; i < sorted.size(); i++)
            if (sorted[i].number > 1) break;
        if (i == sorted.size()) i = 0;
        vector<int> indices;
        for (int k = 0; k < hand.size(); k++)
            if (hand[k].number == sorted[i].number) indices.push_back(k);
        Event* answer = NULL;
        if (hints > 0) answer = new NumberHintEvent(indices, sorted[i].number);
        else answer = new DiscardEvent(rand() % 4);
        report(answer);
        return answer;
    }
private:
    static bool lower(Card a, Card b) { return a.number < b.number; }
    void strcpyName(char* text) { name = text; }
    int counted(vector<int> board)
    {
        points = 0;
        for (vector<int>::iterator it = board.begin(); it != board.end(); ++it) points += *it;
    }
    int report(Event* e)
    {
        const Player* self = this;
        self->remember(e->getAction());
        cout << name << " does " << e->getAction() << " on " << hand[0].toString() << "\n";
    }
    void remember(int action) { last = action; }
    string name;
    int last;
    int turns, hints, points;
    vector<Card> hand;
};
