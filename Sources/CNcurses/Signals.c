// Restores the terminal when the program dies, and collects the signals that it handles.
//
// A program that crashes inside ncurses would leave a terminal that shows no typed characters and no cursor.
// So handlers for all fatal signals, and one for exit(3), write prepared reset bytes, restore the settings,
// and then let the signal do its work. Without them, the user would have to type `reset` blindly after every
// crash.
//
// Code that runs in a handler may call only functions that are safe there (signal-safety(7)): write, poll,
// tcsetattr, tcflush, sigaction, pthread_sigmask, raise, and lock-free atomics.
#define _GNU_SOURCE
#include "CNcurses.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT, SIGTSTP};
static struct sigaction watched_before[COUNT(watched)];
static _Atomic uint32_t came;
static int pipe_ends[2] = {-1, -1};

static void note(int number) {
    int saved = errno;
    atomic_fetch_or(&came, UINT32_C(1) << number);
    // If the pipe is full, it is readable already.
    if (write(pipe_ends[1], "", 1) < 0) {}
    errno = saved;
}

static void watch(int number, struct sigaction *before) {
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
    sigfillset(&action.sa_mask);
    sigaction(number, NULL, before);
    if (before->sa_handler != SIG_IGN) sigaction(number, &action, NULL);
}

int cncurses_watch_signals(void) {
    if (pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
    atomic_store(&came, 0);
    for (size_t i = 0; i < COUNT(watched); i++) watch(watched[i], &watched_before[i]);
    return pipe_ends[0];
}

uint32_t cncurses_take_signals(void) {
    char bytes[64];
    while (read(pipe_ends[0], bytes, sizeof bytes) > 0) {}
    return atomic_exchange(&came, 0);
}

void cncurses_unwatch_signals(void) {
    if (pipe_ends[0] < 0) return;
    for (size_t i = 0; i < COUNT(watched); i++) sigaction(watched[i], &watched_before[i], NULL);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    pipe_ends[0] = pipe_ends[1] = -1;
}

void cncurses_stop(void) {
    struct sigaction before;
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(SIGTSTP, NULL, &before);
    if (before.sa_handler == SIG_IGN) return;
    sigaction(SIGTSTP, &standard, NULL);
    kill(0, SIGTSTP);
    sigaction(SIGTSTP, &before, NULL);
}

static const int fatal[] = {SIGILL,  SIGTRAP, SIGSEGV, SIGBUS,  SIGFPE,  SIGABRT, SIGQUIT,
                            SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU, SIGXFSZ, SIGSYS};
static struct sigaction fatal_before[COUNT(fatal)];
static bool is_guarding;
static _Atomic bool guarded;
static _Atomic bool yields;

static int terminal, terminal_output;
static struct termios terminal_settings;
static char reset_bytes[1024];
static size_t reset_length;

void cncurses_yield_signals(bool yielded) {
    static struct sigaction stop_before;
    struct sigaction standard = {.sa_handler = SIG_DFL};
    if (yielded) {
        sigaction(SIGTSTP, NULL, &stop_before);
        if (stop_before.sa_handler != SIG_IGN) sigaction(SIGTSTP, &standard, NULL);
        atomic_store(&yields, true);
    } else {
        atomic_store(&yields, false);
        sigaction(SIGTSTP, &stop_before, NULL);
        atomic_fetch_and(&came, ~(UINT32_C(1) << SIGINT | UINT32_C(1) << SIGTSTP));
    }
}

static void give_terminal_back(bool takes_nothing) {
    if (!atomic_exchange(&guarded, false)) return;
    // The kernel stops a background process that changes the terminal, unless SIGTTOU is blocked.
    sigset_t touching, before;
    sigemptyset(&touching);
    sigaddset(&touching, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &touching, &before);
    if (takes_nothing) tcflush(terminal, TCOFLUSH);
    for (size_t done = 0; done < reset_length;) {
        ssize_t count = write(terminal_output, reset_bytes + done, reset_length - done);
        struct pollfd request = {.fd = terminal_output, .events = POLLOUT};
        if (count > 0) done += (size_t)count;
        else if (count < 0 && errno == EINTR) continue;
        else if (count == 0 || errno != EAGAIN) break;
        else if (poll(&request, 1, 1000) > 0) continue;
        else if (takes_nothing) break;
        else {
            takes_nothing = true;
            tcflush(terminal, TCOFLUSH);
        }
    }
    tcsetattr(terminal, TCSANOW, &terminal_settings);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void restore_terminal(void) { give_terminal_back(false); }

static void die(int number) {
    if (number == SIGQUIT && atomic_load(&yields)) return;
    restore_terminal();
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(number, &standard, NULL);
    sigset_t this;
    sigemptyset(&this);
    sigaddset(&this, number);
    pthread_sigmask(SIG_UNBLOCK, &this, NULL);
    raise(number);
}

void cncurses_guard(int descriptor, int output, const struct termios *settings) {
    static bool is_registered;
    // After a stack overflow the handler needs another stack. Only this thread gets one.
    static char stack[64 * 1024];
    stack_t current;
    if (sigaltstack(NULL, &current) == 0 && (current.ss_flags & SS_DISABLE)) {
        stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
        sigaltstack(&other, NULL);
    }
    if (!is_registered) is_registered = atexit(restore_terminal) == 0;

    terminal = descriptor;
    terminal_output = output;
    terminal_settings = *settings;
    reset_length = 0;
    struct sigaction action = {.sa_handler = die, .sa_flags = SA_ONSTACK};
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < COUNT(fatal); i++) {
        sigaction(fatal[i], &action, &fatal_before[i]);
        // A process that handles SIGXFSZ continues after the failed write, so its handler stays.
        if (fatal[i] == SIGXFSZ && fatal_before[i].sa_handler != SIG_DFL) sigaction(SIGXFSZ, &fatal_before[i], NULL);
    }
    is_guarding = true;
}

void cncurses_set_reset_bytes(const char *bytes, size_t length) {
    bool before = atomic_exchange(&guarded, false);
    reset_length = length < sizeof reset_bytes ? length : sizeof reset_bytes;
    memcpy(reset_bytes, bytes, reset_length);
    atomic_store(&guarded, before);
}

void cncurses_set_guarded(bool value) { atomic_store(&guarded, value); }

void cncurses_abandon(void) { give_terminal_back(true); }

void cncurses_unguard(void) {
    atomic_store(&guarded, false);
    if (!is_guarding) return;
    is_guarding = false;
    for (size_t i = 0; i < COUNT(fatal); i++) sigaction(fatal[i], &fatal_before[i], NULL);
}
