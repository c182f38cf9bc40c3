#if Cluster && arch(x86_64)
import Foundation
import ProgramHarness

/// A wall clock for a server, which a test can change while the server runs.
///
/// A Go program reads the clock through the vDSO (vdso(7)), not through a library that could be replaced. So the
/// vDSO is hidden from it, and seccomp_unotify(2) answers the system call that it uses instead.
final class JumpingServerClock: Sendable {
    /// Runs a program whose wall clock is ahead by the number of seconds in a file.
    private static let source = #"""
        #define _GNU_SOURCE
        #include <elf.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <linux/filter.h>
        #include <linux/seccomp.h>
        #include <poll.h>
        #include <signal.h>
        #include <stddef.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/ioctl.h>
        #include <sys/mman.h>
        #include <sys/prctl.h>
        #include <sys/ptrace.h>
        #include <sys/socket.h>
        #include <sys/syscall.h>
        #include <sys/uio.h>
        #include <sys/user.h>
        #include <sys/wait.h>
        #include <time.h>
        #include <unistd.h>

        static pid_t child;
        static volatile sig_atomic_t isOver;

        static void end(int signal) {
            isOver = 1;
            kill(child, SIGKILL);
        }

        static void check(int isGood, const char *what) {
            if (isGood) return;
            perror(what);
            exit(2);
        }

        struct Letter {
            struct msghdr head;
            struct iovec text;
            char byte;
            char room[CMSG_SPACE(sizeof(int))];
        };

        static void address(struct Letter *letter) {
            memset(letter, 0, sizeof *letter);
            letter->text = (struct iovec){&letter->byte, 1};
            letter->head.msg_iov = &letter->text;
            letter->head.msg_iovlen = 1;
            letter->head.msg_control = letter->room;
            letter->head.msg_controllen = sizeof letter->room;
        }

        /// Makes the receiver of the letter answer this process's clock_gettime calls for the wall clock.
        static void divert(int socket) {
            struct sock_filter filter[] = {
                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 0, 3),
                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CLOCK_REALTIME, 0, 1),
                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
            };
            struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
            check(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs");
            int questions = syscall(
                SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
            check(questions >= 0, "seccomp");
            struct Letter letter;
            address(&letter);
            struct cmsghdr *head = CMSG_FIRSTHDR(&letter.head);
            *head = (struct cmsghdr){CMSG_LEN(sizeof questions), SOL_SOCKET, SCM_RIGHTS};
            memcpy(CMSG_DATA(head), &questions, sizeof questions);
            check(sendmsg(socket, &letter.head, 0) == 1, "sendmsg");
            close(questions);
        }

        static long word(unsigned long place) { return ptrace(PTRACE_PEEKDATA, child, (void *)place, 0); }

        /// Hides the vDSO from a program that is about to start. Its stack has the number of arguments, the
        /// arguments, 0, the environment, 0, and the auxiliary vector (getauxval(3)).
        static void hideFunctions(void) {
            struct user_regs_struct registers;
            check(!ptrace(PTRACE_GETREGS, child, 0, &registers), "ptrace");
            unsigned long place = registers.rsp;
            place += 8 * (word(place) + 2);
            while (word(place)) place += 8;
            for (place += 8; word(place) != AT_NULL; place += 16)
                if (word(place) == AT_SYSINFO_EHDR) ptrace(PTRACE_POKEDATA, child, (void *)place, AT_IGNORE);
        }

        int main(int count, char **words) {
            volatile long *shift = mmap(0, sizeof(long), PROT_READ, MAP_SHARED, open(words[1], O_RDONLY), 0);
            check(shift != MAP_FAILED, words[1]);
            int pair[2];
            check(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), "socketpair");
            child = fork();
            if (child == 0) {
                prctl(PR_SET_PDEATHSIG, SIGKILL);
                divert(pair[1]);
                check(!ptrace(PTRACE_TRACEME, 0, 0, 0), "ptrace");
                execvp(words[2], words + 2);
                check(0, words[2]);
            }
            close(pair[1]);
            struct Letter letter;
            address(&letter);
            check(recvmsg(pair[0], &letter.head, 0) == 1, "recvmsg");
            int questions;
            memcpy(&questions, CMSG_DATA(CMSG_FIRSTHDR(&letter.head)), sizeof questions);
            int status;
            check(waitpid(child, &status, 0) == child && WIFSTOPPED(status), "exec");
            hideFunctions();
            signal(SIGTERM, end);
            ptrace(PTRACE_DETACH, child, 0, 0);
            while (!isOver) {
                struct pollfd entry = {questions, POLLIN, 0};
                if (poll(&entry, 1, 100) <= 0) continue;
                if (entry.revents & POLLHUP) break;
                struct seccomp_notif question;
                memset(&question, 0, sizeof question);
                if (ioctl(questions, SECCOMP_IOCTL_NOTIF_RECV, &question)) continue;
                struct timespec now;
                clock_gettime(CLOCK_REALTIME, &now);
                now.tv_sec += *shift;
                struct iovec from = {&now, sizeof now}, to = {(void *)question.data.args[1], sizeof now};
                struct seccomp_notif_resp answer = {.id = question.id};
                if (process_vm_writev(question.pid, &from, 1, &to, 1, 0) < 0) answer.error = -errno;
                ioctl(questions, SECCOMP_IOCTL_NOTIF_SEND, &answer);
            }
            waitpid(child, &status, 0);
            return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
        }
        """#

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Data(Self.source.utf8).write(to: URL(fileURLWithPath: folder.file("clock.c")))
        let words = ["-O1", "-o", folder.file("clock"), folder.file("clock.c")]
        let result = try run("clang", words)
        guard result.ending == .exit(0) else { throw HarnessError(result.errors) }
        jump(to: 0)
    }

    /// Whether this machine allows ptrace(2) and seccomp(2) for this. Containers may forbid them.
    static let isPossible: Bool = {
        guard let clock = try? JumpingServerClock(), let name = clock.command.first else { return false }
        return (try? run(name, clock.command.dropFirst() + ["true"]).ending) == .exit(0)
    }()

    /// Starts a program with this clock. SIGTERM ends both.
    var command: [String] { [folder.file("clock"), folder.file("shift")] }

    /// - Parameter seconds: how far the clock is ahead from now on.
    func jump(to seconds: Int) { JumpingClock.write(seconds, to: folder.file("shift")) }
}
#endif
