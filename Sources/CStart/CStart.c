#include "CStart.h"

#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static char **arguments;
static int has_set_root;

static void go_on(int number) { (void)number; }

// Where the user limits the sizes of files a write fails and says so, as on a full disk, and does not end the program.
// It is not ignored: what this starts, such as the user's editor, would inherit that.
static void outlive_file_limit(void) {
    struct sigaction before;
    struct sigaction action = {.sa_handler = go_on, .sa_flags = SA_RESTART};
    if (sigaction(SIGXFSZ, NULL, &before) == 0 && before.sa_handler == SIG_DFL) sigaction(SIGXFSZ, &action, NULL);
}

// Before the runtime's own constructors, which have no number. The C library hands over what main gets.
__attribute__((constructor(101))) static void begin(int count, char **words) {
    (void)count;
    arguments = words;
    outlive_file_limit();
    // A runtime that is part of the program looks for its path, to find the program that prints backtraces,
    // and aborts if it finds none, unless it is told where Swift is.
    char start;
    if (readlink("/proc/self/exe", &start, 1) < 0) has_set_root = setenv("SWIFT_ROOT", "/usr", 0) == 0;
}

char *const *cstart_arguments(void) {
    // The programs that this one starts know better.
    if (has_set_root) unsetenv("SWIFT_ROOT");
    has_set_root = 0;
    return arguments;
}

void cstart_return_memory(void) {
    // What is set by hand does not grow with what was let go of.
    mallopt(M_MMAP_THRESHOLD, 1 << 18);
}
