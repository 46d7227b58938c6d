// A kernel that crashes or never ends stops its launch, not the process: the signals that say so are caught while
// threads run, and what others installed for them is put back.
#pragma once
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

static const int CAUGHT[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGVTALRM};
static const int N_CAUGHT = sizeof CAUGHT / sizeof *CAUGHT;
static struct sigaction others[N_CAUGHT];
static stack_t other_stack;
static pthread_t runner;
static char signal_stack[65536];
static volatile bool expired; // a checked kernel looks at it in its callbacks, where nothing is half done

static void stop_launch(Kind kind, uint64_t code, int64_t address) {
    launch->stopped = 1;
    finding(kind, code, 0, -1, address);
    abandon_block();
}

static void caught(int number, siginfo_t *info, void *) {
    if (number == SIGVTALRM) {
        expired = true;
#ifdef EMU_CHECK
        return;
#endif
    }
    const bool is_runner = pthread_equal(pthread_self(), runner);
    if (!is_runner && number == SIGVTALRM) pthread_kill(runner, number);
    if (!is_runner || !current) { // the signal is not the kernel's
        if (number != SIGVTALRM) signal(number, SIG_DFL);
        return;
    }
    stop_launch(number == SIGVTALRM ? ENDLESS : CRASH, 0, number == SIGVTALRM ? launch->limit_s : (int64_t)info->si_addr);
}

static void catch_signals() {
    runner = pthread_self();
    stack_t own = {};
    own.ss_sp = signal_stack, own.ss_size = sizeof signal_stack;
    sigaltstack(&own, &other_stack);
    struct sigaction action = {};
    action.sa_sigaction = caught;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER; // the handler may leave by a switch
    for (int i = 0; i < N_CAUGHT; i++) sigaction(CAUGHT[i], &action, &others[i]);
    expired = false;
    struct itimerval limit = {{0, 0}, {(time_t)launch->limit_s, 0}};
    setitimer(ITIMER_VIRTUAL, &limit, nullptr);
}

static void release_signals() {
    struct itimerval off = {};
    setitimer(ITIMER_VIRTUAL, &off, nullptr);
    for (int i = 0; i < N_CAUGHT; i++) sigaction(CAUGHT[i], &others[i], nullptr);
    sigaltstack(&other_stack, nullptr);
}
