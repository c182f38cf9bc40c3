#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

int clinux_rename_without_replacing(int folder, const char *from, const char *to) {
    int result = renameat2(folder, from, folder, to, RENAME_NOREPLACE);
    if (result == 0 || (errno != EINVAL && errno != ENOSYS)) return result;
    // Not every file system knows the flag; a hard link refuses a name that is taken, too.
    if (linkat(folder, from, folder, to, 0) != 0) return -1;
    return unlinkat(folder, from, 0);
}

int clinux_is_open_for_writing(int descriptor) {
    // A read lease is refused while a writer has the file open (fcntl(2)). Somebody who opens it in
    // the moment that the lease lasts makes the kernel send a signal: SIGURG, which does nothing
    // unless somebody asked for it, instead of SIGIO, which would end the process.
    if (fcntl(descriptor, F_SETSIG, SIGURG) != 0) return -1;
    if (fcntl(descriptor, F_SETLEASE, F_RDLCK) != 0) return errno == EAGAIN ? 1 : -1;
    fcntl(descriptor, F_SETLEASE, F_UNLCK);
    return 0;
}

long clinux_write(int descriptor, const void *bytes, size_t size) {
    // The signal goes to the thread that writes (setrlimit(2)): it is blocked there, and taken away.
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

int clinux_event_descriptor(void) { return eventfd(0, EFD_CLOEXEC); }

void clinux_name_thread(const char *name) { prctl(PR_SET_NAME, name); }

long clinux_file_system_type(int descriptor) {
    struct statfs info;
    return fstatfs(descriptor, &info) == 0 ? (long)info.f_type : -1;
}

int clinux_birth_time(int descriptor, long long *seconds, long long *nanoseconds) {
    struct statx info;
    if (statx(descriptor, "", AT_EMPTY_PATH, STATX_BTIME, &info) != 0) return -1;
    if (!(info.stx_mask & STATX_BTIME)) return 0;
    *seconds = info.stx_btime.tv_sec;
    *nanoseconds = info.stx_btime.tv_nsec;
    return 1;
}
