// Everything is in the header. The package manager needs a source file.
#include "CGio.h"
