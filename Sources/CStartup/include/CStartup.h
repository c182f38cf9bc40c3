// Prepares the process before Swift's runtime starts.
//
// Swift's runtime looks for the arguments and the program's path in /proc, which a bare chroot or container
// does not have. A constructor that runs earlier keeps the arguments and tells the runtime where Swift is.
// Without it, `pdefaults` would abort there before its first line.
//
// From then on, a write beyond the limit for file sizes (setrlimit(2)) fails with EFBIG instead of ending the
// program.
#ifndef CSTARTUP_H
#define CSTARTUP_H

/// The arguments of the program, starting with its own name and ending with a null pointer.
char *const *cstartup_arguments(void);

/// Makes malloc(3) return large freed blocks to the system at once from now on.
void cstartup_return_memory(void);

#endif
