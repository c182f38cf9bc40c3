// CNcurses.h describes the functions. This file contains those that do not deal with signals.

#define _GNU_SOURCE
#include "CNcurses.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <term.h>
#include <unistd.h>

WINDOW *cncurses_screen(void) { return stdscr; }
WINDOW *cncurses_physical_screen(void) { return curscr; }
int cncurses_rows(void) { return LINES; }
int cncurses_columns(void) { return COLS; }
int cncurses_colors(void) { return COLORS; }
int cncurses_color_pairs(void) { return COLOR_PAIRS; }

const attr_t cncurses_bold = WA_BOLD;
const attr_t cncurses_dim = WA_DIM;
const attr_t cncurses_underline = WA_UNDERLINE;
const attr_t cncurses_italic = WA_ITALIC;

const char *cncurses_capability(const char *name) {
    const char *value = tigetstr(name);
    return value == (char *)-1 ? NULL : value;
}

const char *cncurses_move_cursor(int row, int column) {
    const char *form = cncurses_capability("cup");
    return form == NULL ? NULL : tiparm(form, row, column);
}

int cncurses_memory_file(void) {
    // RLIMIT_FSIZE also limits files in memory. A frame never needs more than 16 MB.
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < 1 << 24) return -1;
    return memfd_create("frame", MFD_CLOEXEC);
}

bool cncurses_redirect(int descriptor, int target) {
    int result;
    do result = dup3(target, descriptor, O_CLOEXEC);
    while (result < 0 && (errno == EINTR || errno == EBUSY));
    return result >= 0;
}

int cncurses_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

bool cncurses_locale_is_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

// The parameters are not called columns and lines, because term.h defines macros with these names.
bool cncurses_terminal_size(int descriptor, int *width, int *height) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return false;
    *width = size.ws_col;
    *height = size.ws_row;
    return true;
}

void cncurses_set_input_mode(int descriptor) {
    cbreak();
    noecho();
    nonl();
    struct termios mode;
    if (tcgetattr(descriptor, &mode) != 0) return;
    mode.c_iflag &= ~(tcflag_t)(IXON | IXOFF | ISTRIP | INLCR | IGNCR | ICRNL);
    mode.c_lflag &= ~(tcflag_t)IEXTEN;
    mode.c_cc[VINTR] = mode.c_cc[VSUSP] = _POSIX_VDISABLE;
    tcsetattr(descriptor, TCSANOW, &mode);
    def_prog_mode();
}
