// CStartup.h explains why this code must run before Swift's runtime.

#include "CStartup.h"

#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static char **arguments;
static int has_set_root;

static void ignore_signal(int number) { (void)number; }

// A write beyond the user's limit for file sizes should fail with an error, as on a full disk. By default it
// ends the program. The signal is not ignored, because programs that this one starts, such as the user's
// editor, would inherit that.
static void survive_file_limit(void) {
    struct sigaction before;
    struct sigaction action = {.sa_handler = ignore_signal, .sa_flags = SA_RESTART};
    if (sigaction(SIGXFSZ, NULL, &before) == 0 && before.sa_handler == SIG_DFL) sigaction(SIGXFSZ, &action, NULL);
}

// This runs before the constructors of Swift's runtime, which have no priority. The C library passes the
// arguments of main.
__attribute__((constructor(101))) static void begin(int count, char **words) {
    (void)count;
    arguments = words;
    survive_file_limit();
    // A statically linked runtime looks for its own path, to find the program that prints backtraces. It
    // aborts if it finds none, unless SWIFT_ROOT is set.
    char start;
    if (readlink("/proc/self/exe", &start, 1) < 0) has_set_root = setenv("SWIFT_ROOT", "/usr", 0) == 0;
}

char *const *cstartup_arguments(void) {
    // Programs that this one starts must find the runtime themselves.
    if (has_set_root) unsetenv("SWIFT_ROOT");
    has_set_root = 0;
    return arguments;
}

void cstartup_return_memory(void) {
    // A threshold that is set explicitly does not grow when large blocks are freed (mallopt(3)).
    mallopt(M_MMAP_THRESHOLD, 1 << 18);
}
