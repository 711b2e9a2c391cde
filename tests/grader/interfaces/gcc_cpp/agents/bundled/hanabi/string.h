#define OWN_STRING "mine"
