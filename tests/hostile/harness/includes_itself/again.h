#include "again.h"
#include "again.h"
