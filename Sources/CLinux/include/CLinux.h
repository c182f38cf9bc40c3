// Gives Swift the Linux system calls that its Glibc module leaves out.
//
// Swift cannot import some calls, because they are macros, variadic or newer than the module. Each function
// here makes one call, or one short sequence that must be exactly right, and returns the call's result and
// errno. Without them, the store could not replace a file safely, wait for changes without polling, or notice
// writers that do not lock.
#ifndef CLINUX_H
#define CLINUX_H

#include <spawn.h>
#include <stddef.h>
#include <sys/stat.h>
#include <time.h>

/// Does nothing, but the compiler cannot know that. So it cannot remove or reorder the code before it.
void clinux_do_nothing(void);

/// Makes posix_spawn(3) close all descriptors from `first` on in the new program, whenever they were opened
/// (posix_spawn_file_actions_addclosefrom_np).
int clinux_close_from(posix_spawn_file_actions_t *actions, int first);

/// renameat2(2) inside one folder with RENAME_NOREPLACE.
int clinux_rename_without_replacing(int folder, const char *from, const char *to);

/// renameat2(2) inside one folder with RENAME_EXCHANGE.
int clinux_exchange(int folder, const char *a, const char *b);

/// Opens /dev/null for each standard descriptor that is closed. Otherwise the next opened file would get its
/// number, and the process would print into that file.
void clinux_occupy_standard(void);

/// Replaces a descriptor below 3 by a copy with a higher number, and closes the original. Other descriptors
/// are returned unchanged. If the argument is -1, the result is -1 and `errno` stays.
int clinux_above_standard(int descriptor);

/// Creates a file without a name in the folder, open for writing (open(2), O_TMPFILE). It disappears when it
/// is closed.
int clinux_open_unnamed(int folder, unsigned int mode);

/// Gives an open file without a name a name in the folder (link(2)).
int clinux_link(int descriptor, int folder, const char *name);

/// Takes a read lease on the file (fcntl(2), F_SETLEASE): 1 if it was granted, 0 if a process has the file open
/// for writing, -1 if the system gives no lease. The descriptor must be open for reading only. While the lease
/// lasts, a process that opens the file for writing waits.
int clinux_lease(int descriptor);

/// Whether a process waits for the end of a lease.
int clinux_lease_is_awaited(int descriptor);

/// Ends a lease.
void clinux_end_lease(int descriptor);

/// write(2), but a file that would exceed the process's size limit is reported as EFBIG only. Otherwise the
/// signal SIGXFSZ would end the process.
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

/// Makes epoll_wait(2) report the descriptor while it is readable.
int clinux_epoll_add(int epoll, int descriptor);

/// Makes epoll_wait(2) report the descriptor to one thread, once. `clinux_epoll_rearm` arms it again.
/// `clinux_epoll_remove` removes it.
int clinux_epoll_add_once(int epoll, int descriptor);
int clinux_epoll_rearm(int epoll, int descriptor);
int clinux_epoll_remove(int epoll, int descriptor);

/// Waits for one of the descriptors and returns it, or -1 and errno.
int clinux_epoll_wait(int epoll);

/// Whether the process may give files to other users (CAP_CHOWN, capabilities(7)).
int clinux_may_change_owners(void);

/// Creates a descriptor that becomes readable after a time (timerfd_create(2)), closed by execve(2).
int clinux_timer_make(void);

/// Makes the timer readable after this many nanoseconds. 0 stops the timer.
int clinux_timer_set(int timer, long nanoseconds);

/// Names the calling thread (PR_SET_NAME, prctl(2)). A name has at most 15 bytes.
void clinux_name_thread(const char *name);

/// fstat(2) with the creation time, by statx(2).
///
/// Fills in device, inode, size, modification and change time, mode, owner and group. The creation time is 0
/// if the file system does not keep it.
int clinux_status(int descriptor, struct stat *status, long long *birth_seconds, long long *birth_nanoseconds);

/// Sets the file's modification time to now, to the nanosecond (futimens(2)). Stores the time in `time`.
int clinux_set_exact_time(int descriptor, struct timespec *time);

/// The file system's type (f_type, fstatfs(2)), or -1.
long clinux_file_system_type(int descriptor);

#endif
