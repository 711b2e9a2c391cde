#include <sstream>
// no guard: included twice it would not compile, so it isn't
template <class T> string vectorToString(vector<T> & v) {
	stringstream ss; 
	for (typename vector<T>::iterator it = v.begin(); it != v.end(); it++) ss << *it << (it + 1 == v.end() ? "" : ", ");
	return "[" + ss.str() + "]";
}
template <typename T, int N> struct FixedStack {
	T data[N]; int top;
	FixedStack() : top(0) {}
	bool push(T t) { if (top == N) return false; data[top++] = t; return true; }
	T pop() { return data[--top]; }
	bool isEmpty() const { return !top; }
};
