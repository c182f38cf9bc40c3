#if Cluster && arch(x86_64)
import Foundation
import ProgramHarness

/// The clock of the day of a server, which goes wrong by as much as a test says while the server runs.
///
/// A program in Go asks no library for the time that a test could stand in front of: it asks a function that
/// the kernel lends it. So that is hidden from it, and what it asks the kernel for instead is answered here.
final class JumpingServerClock: Sendable {
    /// Runs a program, whose clock of the day is fast by the seconds that a file holds.
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

        /// Has the kernel ask whoever gets the letter, whenever this process asks for the time of the day.
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

        /// Hides the kernel's functions from a program that is about to begin: on its stack lie the number of
        /// arguments, these, 0, the environment, 0, and what the kernel tells it besides.
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
        let result = try run("clang", words, within: .seconds(60))
        guard result.ending == .exit(0) else { throw HarnessError(result.errors) }
        jump(to: 0)
    }

    /// Whether this machine lets a program be treated so; containers may not.
    static let isPossible: Bool = {
        guard let clock = try? JumpingServerClock(), let name = clock.command.first else { return false }
        return (try? run(name, clock.command.dropFirst() + ["true"]).ending) == .exit(0)
    }()

    /// What a program is started by that goes by this clock. SIGTERM ends both.
    var command: [String] { [folder.file("clock"), folder.file("shift")] }

    /// - Parameter seconds: by how much the clock is fast from now on.
    func jump(to seconds: Int) { JumpingClock.write(seconds, to: folder.file("shift")) }
}
#endif
