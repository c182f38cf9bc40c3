// The system calls that Swift's Glibc module leaves out. Results and errno are theirs.
#ifndef CLINUX_H
#define CLINUX_H

#include <spawn.h>
#include <stddef.h>
#include <sys/stat.h>
#include <time.h>

/// Does nothing, of which no compiler can know: what comes before it stays there.
void clinux_do_nothing(void);

/// Has posix_spawn(3) close every descriptor of the new program from one on, whenever it was opened
/// (posix_spawn_file_actions_addclosefrom_np).
int clinux_close_from(posix_spawn_file_actions_t *actions, int first);

/// renameat2(2) inside one folder with RENAME_NOREPLACE.
int clinux_rename_without_replacing(int folder, const char *from, const char *to);

/// renameat2(2) inside one folder with RENAME_EXCHANGE.
int clinux_exchange(int folder, const char *a, const char *b);

/// Opens /dev/null in the place of each standard descriptor that is closed: the next file to be opened would have
/// its number, and take in what the process prints.
void clinux_occupy_standard(void);

/// A descriptor behind the standard ones, for the one given, which is closed where it is among these. -1 and
/// `errno` stay as they are.
int clinux_behind_standard(int descriptor);

/// A new file in the folder, open for writing, that has no name, and is gone when it is closed (open(2),
/// O_TMPFILE).
int clinux_open_unnamed(int folder, unsigned int mode);

/// Gives an open file that has no name one in the folder (link(2)).
int clinux_link(int descriptor, int folder, const char *name);

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

/// epoll_create1(2), closed by execve(2).
int clinux_epoll_make(void);

/// Has epoll_wait(2) tell that a descriptor is readable, for as long as it is.
int clinux_epoll_add(int epoll, int descriptor);

/// The same, to one thread, and then no more before `clinux_epoll_once_more`; nor after `clinux_epoll_not_now`.
int clinux_epoll_add_once(int epoll, int descriptor);
int clinux_epoll_once_more(int epoll, int descriptor);
int clinux_epoll_not_now(int epoll, int descriptor);

/// Has it tell of every exceptional condition of a descriptor once, when it comes about.
int clinux_epoll_add_exceptional(int epoll, int descriptor);

/// Waits for one of the descriptors, and returns it; -1 with an errno.
int clinux_epoll_wait(int epoll);

/// Whether the process may give files to other users (CAP_CHOWN of capabilities(7)).
int clinux_may_change_owners(void);

/// A descriptor that becomes readable when a time has passed (timerfd_create(2)), closed by execve(2).
int clinux_timer_make(void);

/// Has it become readable after so long, and not before; not at all for 0.
int clinux_timer_set(int timer, long nanoseconds);

/// Names the calling thread, in as many as 15 bytes (PR_SET_NAME of prctl(2)).
void clinux_name_thread(const char *name);

/// fstat(2), as far as statx(2) tells the same: device, inode, size, times of modification and change, mode,
/// owner and group; and the time that the file was made, 0 where the file system keeps none.
int clinux_status(int descriptor, struct stat *status, long long *birth_seconds, long long *birth_nanoseconds);

/// Gives the file the present time, with other last four digits, as that of its last modification
/// (futimens(2)), and tells it.
int clinux_stamp(int descriptor, long digits, struct timespec *time);

/// The file system's type (f_type of fstatfs(2)), or -1.
long clinux_file_system_type(int descriptor);

#endif
