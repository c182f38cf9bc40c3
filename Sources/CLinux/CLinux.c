// CLinux.h describes the functions. The comments here only explain the choice of system calls.

#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

int clinux_rename_without_replacing(int folder, const char *from, const char *to) {
    int result = renameat2(folder, from, folder, to, RENAME_NOREPLACE);
    if (result == 0 || (errno != EINVAL && errno != ENOSYS)) return result;
    // Some file systems do not support the flag. A hard link also fails if the name is taken.
    if (linkat(folder, from, folder, to, 0) != 0) return -1;
    return unlinkat(folder, from, 0);
}

int clinux_may_change_owners(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {{0}};
    if (syscall(SYS_capget, &header, data) != 0) return geteuid() == 0;
    return (data[CAP_TO_INDEX(CAP_CHOWN)].effective & CAP_TO_MASK(CAP_CHOWN)) != 0;
}

int clinux_exchange(int folder, const char *a, const char *b) {
    return renameat2(folder, a, folder, b, RENAME_EXCHANGE);
}

void clinux_occupy_standard(void) {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
        int other = open("/dev/null", O_RDWR);
        // Another thread opened the descriptor first.
        if (other > STDERR_FILENO) close(other);
    }
}

int clinux_above_standard(int descriptor) {
    if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
    int other = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int error = errno;
    close(descriptor);
    errno = error;
    return other;
}

int clinux_open_unnamed(int folder, unsigned int mode) {
    return clinux_above_standard(openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode));
}

int clinux_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int clinux_link(int descriptor, int folder, const char *name) {
    // open(2) describes the way through /proc. AT_EMPTY_PATH needs a capability on older kernels.
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW);
}

int clinux_lease(int descriptor) {
    // If another process opens the file during the lease, the kernel sends a signal. SIGURG is ignored by
    // default. The usual SIGIO would end the process.
    if (fcntl(descriptor, F_SETSIG, SIGURG) != 0) return -1;
    if (fcntl(descriptor, F_SETLEASE, F_RDLCK) == 0) return 1;
    return errno == EAGAIN ? 0 : -1;
}

int clinux_lease_is_awaited(int descriptor) {
    // While a process waits, the kernel reports the type that the lease is to become.
    return fcntl(descriptor, F_GETLEASE) != F_RDLCK;
}

void clinux_end_lease(int descriptor) { fcntl(descriptor, F_SETLEASE, F_UNLCK); }

long clinux_write(int descriptor, const void *bytes, size_t size) {
    // The kernel sends the signal to the writing thread (setrlimit(2)). It is blocked there and then removed.
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    long result = write(descriptor, bytes, size);
    int error = errno;
    if (result < 0 && error == EFBIG && !sigismember(&before, SIGXFSZ)) {
        struct timespec now = {0, 0};
        sigtimedwait(&signals, NULL, &now);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return result;
}

long clinux_list_attributes(int descriptor, char *names, size_t size) {
    return flistxattr(descriptor, names, size);
}

long clinux_get_attribute(int descriptor, const char *name, void *value, size_t size) {
    return fgetxattr(descriptor, name, value, size);
}

int clinux_set_attribute(int descriptor, const char *name, const void *value, size_t size) {
    return fsetxattr(descriptor, name, value, size, 0);
}

int clinux_remove_attribute(int descriptor, const char *name) { return fremovexattr(descriptor, name); }

int clinux_event_descriptor(void) { return clinux_above_standard(eventfd(0, EFD_CLOEXEC)); }

int clinux_epoll_make(void) { return clinux_above_standard(epoll_create1(EPOLL_CLOEXEC)); }

static int control(int epoll, int operation, int descriptor, unsigned events) {
    struct epoll_event event = {.events = events, .data.fd = descriptor};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

int clinux_epoll_add(int epoll, int descriptor) { return control(epoll, EPOLL_CTL_ADD, descriptor, EPOLLIN); }

int clinux_epoll_add_once(int epoll, int descriptor) {
    return control(epoll, EPOLL_CTL_ADD, descriptor, EPOLLIN | EPOLLONESHOT);
}

int clinux_epoll_rearm(int epoll, int descriptor) {
    int result = control(epoll, EPOLL_CTL_MOD, descriptor, EPOLLIN | EPOLLONESHOT);
    return result != 0 && errno == ENOENT ? clinux_epoll_add_once(epoll, descriptor) : result;
}

// A descriptor that is registered for no events would still wake a thread, because inotify does not say what
// it wakes for. So the descriptor is removed.
int clinux_epoll_remove(int epoll, int descriptor) { return control(epoll, EPOLL_CTL_DEL, descriptor, 0); }

int clinux_epoll_wait(int epoll) {
    struct epoll_event event;
    int count = epoll_wait(epoll, &event, 1, -1);
    if (count == 0) errno = EINTR;
    return count == 1 ? event.data.fd : -1;
}

int clinux_timer_make(void) {
    return clinux_above_standard(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
}

int clinux_timer_set(int timer, long nanoseconds) {
    struct itimerspec time = {.it_value = {nanoseconds / 1000000000, nanoseconds % 1000000000}};
    return timerfd_settime(timer, 0, &time, NULL);
}

__attribute__((noinline)) void clinux_do_nothing(void) { __asm__ volatile("" ::: "memory"); }

void clinux_name_thread(const char *name) { prctl(PR_SET_NAME, name); }

long clinux_file_system_type(int descriptor) {
    struct statfs info;
    return fstatfs(descriptor, &info) == 0 ? (long)info.f_type : -1;
}

int clinux_status(int descriptor, struct stat *status, long long *birth_seconds, long long *birth_nanoseconds) {
    struct statx info;
    *birth_seconds = *birth_nanoseconds = 0;
    if (statx(descriptor, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &info) != 0) {
        return fstat(descriptor, status);
    }
    memset(status, 0, sizeof *status);
    status->st_dev = makedev(info.stx_dev_major, info.stx_dev_minor);
    status->st_ino = info.stx_ino;
    status->st_size = (off_t)info.stx_size;
    status->st_mtim = (struct timespec){info.stx_mtime.tv_sec, info.stx_mtime.tv_nsec};
    status->st_ctim = (struct timespec){info.stx_ctime.tv_sec, info.stx_ctime.tv_nsec};
    status->st_mode = info.stx_mode;
    status->st_uid = info.stx_uid;
    status->st_gid = info.stx_gid;
    if (info.stx_mask & STATX_BTIME) {
        *birth_seconds = info.stx_btime.tv_sec;
        *birth_nanoseconds = info.stx_btime.tv_nsec;
    }
    return 0;
}

int clinux_set_exact_time(int descriptor, struct timespec *time) {
    clock_gettime(CLOCK_REALTIME, time);
    // Changing both times would be reported by inotify(7) as a changed attribute, which folder watchers
    // listen for. So the access time stays.
    struct timespec times[2] = {{0, UTIME_OMIT}, *time};
    return futimens(descriptor, times);
}
