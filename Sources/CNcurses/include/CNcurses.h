// ncurses for wide characters, what of it Swift can't import, and what has to run inside of signal
// handlers.
#ifndef CNCURSES_H
#define CNCURSES_H

#define NCURSES_WIDECHAR 1
#include <ncurses.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>
#include <wchar.h>

/// stdscr and curscr, which are variables.
WINDOW *cncurses_screen(void);
WINDOW *cncurses_physical_screen(void);
/// LINES, COLS, COLORS and COLOR_PAIRS.
int cncurses_rows(void);
int cncurses_columns(void);
int cncurses_colors(void);
int cncurses_color_pairs(void);

extern const attr_t cncurses_bold, cncurses_dim, cncurses_underline, cncurses_reverse;

/// tigetstr(3) for the current terminal; null where it lacks the capability.
const char *cncurses_capability(const char *name);
/// The sequence that moves the cursor; null where there is none. It lives until the next call.
const char *cncurses_move_cursor(int row, int column);

/// A file without a name, in memory (memfd_create(2)); -1 where there is none to be had, or it may not
/// grow as large as a screen needs.
int cncurses_memory_file(void);
/// Has a descriptor lead where another one does (dup3(2)), until the next exec(3); false where it can't be.
bool cncurses_redirect(int descriptor, int target);

/// wcwidth(3)
int cncurses_width(uint32_t scalar);
/// Whether the locale's encoding is UTF-8.
bool cncurses_locale_is_utf8(void);
/// The size of a terminal (tty_ioctl(4), TIOCGWINSZ); false where it isn't known.
bool cncurses_terminal_size(int descriptor, int *columns, int *rows);

/// Makes every key come at once and unchanged, without echo; only Ctrl-\ still sends its signal. This
/// becomes the mode that reset_prog_mode(3) brings back.
void cncurses_set_input_mode(int descriptor);

/// Catches SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT and SIGTSTP until `cncurses_unwatch_signals`;
/// those that are ignored stay so. Returns a descriptor that is readable when one has come, or -1
/// with errno.
int cncurses_watch_signals(void);
/// The watched signals that have come since the last call: bit n for signal n.
uint32_t cncurses_take_signals(void);
void cncurses_unwatch_signals(void);
/// Stops the process group as SIGTSTP does by default; returns when it goes on.
void cncurses_stop(void);
/// While another program has the terminal: the keys that interrupt and quit are that program's, and
/// SIGTSTP stops this process too.
void cncurses_yield_signals(bool yielded);

/// From now until `cncurses_unguard`: when the process dies of a crash, of SIGQUIT or by exit(3)
/// while `cncurses_set_guarded` is true, the bytes are written to the terminal and its settings are
/// restored. A crash goes on to the handlers there were before if `chained`, else to its default
/// action. `output` is the same terminal, opened with O_NONBLOCK: one that takes nothing for a second loses what
/// it has not taken.
void cncurses_guard(int descriptor, int output, const struct termios *settings, bool chained);
void cncurses_set_reset_bytes(const char *bytes, size_t length);
void cncurses_set_guarded(bool guarded);
/// Does now what is done when the process dies, for a terminal that takes nothing: what it has not taken is
/// thrown away.
void cncurses_abandon(void);
void cncurses_unguard(void);

#endif
