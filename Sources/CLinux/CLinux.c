#define _GNU_SOURCE
#include "CLinux.h"

#include <stdio.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

int clinux_rename_without_replacing(int folder, const char *from, const char *to) {
    return renameat2(folder, from, folder, to, RENAME_NOREPLACE);
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

long clinux_file_system_type(int descriptor) {
    struct statfs info;
    return fstatfs(descriptor, &info) == 0 ? (long)info.f_type : -1;
}
