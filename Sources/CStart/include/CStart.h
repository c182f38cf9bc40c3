// What the program takes from the system before Swift's runtime starts, which looks for it in /proc: a bare
// chroot or container has none. From then on a limit of the sizes of files (setrlimit(2)) ends nothing: what goes
// beyond it fails with EFBIG.
#ifndef CSTART_H
#define CSTART_H

/// The words that the program was started with, its own name among them, and a null pointer behind them.
char *const *cstart_arguments(void);

/// From now on what is large and not used any more goes back to the system at once.
void cstart_return_memory(void);

#endif
