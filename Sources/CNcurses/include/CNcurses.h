// Gives Swift access to ncurses for wide characters: macros and variables that Swift cannot import, and code
// that must run inside signal handlers.
#ifndef CNCURSES_H
#define CNCURSES_H

#define NCURSES_WIDECHAR 1
#include <ncurses.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>
#include <wchar.h>

/// The variables stdscr and curscr.
WINDOW *cncurses_screen(void);
WINDOW *cncurses_physical_screen(void);
/// The variables LINES, COLS, COLORS and COLOR_PAIRS.
int cncurses_rows(void);
int cncurses_columns(void);
int cncurses_colors(void);
int cncurses_color_pairs(void);

extern const attr_t cncurses_bold, cncurses_dim, cncurses_underline, cncurses_italic;

/// tigetstr(3) for the current terminal. Null if the terminal lacks the capability.
const char *cncurses_capability(const char *name);
/// Returns the sequence that moves the cursor, or null if there is none. It is valid until the next call.
const char *cncurses_move_cursor(int row, int column);

/// Creates a file in memory without a name (memfd_create(2)). Returns -1 if the system has none, or if the
/// file may not become large enough for a frame.
int cncurses_memory_file(void);
/// Makes a descriptor refer to another one's file (dup3(2)), closed by execve(2). Returns false if it fails.
bool cncurses_redirect(int descriptor, int target);

/// wcwidth(3)
int cncurses_width(uint32_t scalar);
/// Whether the locale's encoding is UTF-8.
bool cncurses_locale_is_utf8(void);
/// Gets the size of a terminal (tty_ioctl(4), TIOCGWINSZ). Returns false if it is unknown.
bool cncurses_terminal_size(int descriptor, int *columns, int *rows);

/// Makes every key arrive at once, unchanged and without echo. Only Ctrl-\ still sends its signal.
/// reset_prog_mode(3) will restore this mode.
void cncurses_set_input_mode(int descriptor);

/// Catches SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT and SIGTSTP until `cncurses_unwatch_signals`. Signals
/// that are ignored stay ignored. Returns a descriptor that is readable after a signal, or -1 and errno.
int cncurses_watch_signals(void);
/// Returns the caught signals since the previous call. Bit n stands for signal n.
uint32_t cncurses_take_signals(void);
void cncurses_unwatch_signals(void);
/// Stops the process group as SIGTSTP does by default. Returns when the group continues.
void cncurses_stop(void);
/// Set this while another program has the terminal. The interrupt and quit keys then act on that program
/// only, and SIGTSTP stops this process too.
void cncurses_yield_signals(bool yielded);

/// Installs the crash handlers until `cncurses_unguard`.
///
/// The handlers act if the process dies of a crash, of SIGQUIT or by exit(3) while `cncurses_set_guarded` is
/// true. They write the reset bytes to the terminal and restore its settings. `output` is the same terminal,
/// opened with O_NONBLOCK. If it accepts nothing for a second, the output it has not accepted is dropped.
/// Swift's backtracer does not run, because it would ask its question on the terminal.
void cncurses_guard(int descriptor, int output, const struct termios *settings);
void cncurses_set_reset_bytes(const char *bytes, size_t length);
void cncurses_set_guarded(bool guarded);
/// Restores a terminal that accepts no output, as the crash handlers do. The output that it has not accepted
/// is dropped.
void cncurses_abandon(void);
void cncurses_unguard(void);

#endif
