// The system calls that Swift's Glibc module leaves out. Results and errno are theirs.
#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>

/// renameat2(2) inside one folder with RENAME_NOREPLACE.
int clinux_rename_without_replacing(int folder, const char *from, const char *to);

/// Whether any process has the file open for writing: 1, 0, or -1 where the system does not tell.
/// The descriptor must be open for reading only.
int clinux_is_open_for_writing(int descriptor);

/// write(2), without the signal for a file that would grow beyond the process's limit, SIGXFSZ, which
/// would end the process: EFBIG says it.
long clinux_write(int descriptor, const void *bytes, size_t size);

/// flistxattr(2)
long clinux_list_attributes(int descriptor, char *names, size_t size);

/// fgetxattr(2)
long clinux_get_attribute(int descriptor, const char *name, void *value, size_t size);

/// fsetxattr(2)
int clinux_set_attribute(int descriptor, const char *name, const void *value, size_t size);

/// fremovexattr(2)
int clinux_remove_attribute(int descriptor, const char *name);

/// eventfd(2), closed by execve(2).
int clinux_event_descriptor(void);

/// Names the calling thread, in as many as 15 bytes (PR_SET_NAME of prctl(2)).
void clinux_name_thread(const char *name);

/// The time that a file was made (stx_btime of statx(2)): 1, 0 where the file system keeps none, or -1.
int clinux_birth_time(int descriptor, long long *seconds, long long *nanoseconds);

/// The file system's type (f_type of fstatfs(2)), or -1.
long clinux_file_system_type(int descriptor);

#endif
