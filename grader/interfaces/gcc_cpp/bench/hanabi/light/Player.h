// The light player, as an agent.
#include "Light.h"
