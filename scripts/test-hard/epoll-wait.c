// libfaketime shows the real time to a signal handler that runs during its own epoll_wait: PostgreSQL then takes the end of
// each timeout for days away, and no deadlock ends. This one, which is loaded before, does not change the clock.
long syscall(long number, ...);

#ifdef __x86_64__
enum { EPOLL_PWAIT = 281 };
#else
enum { EPOLL_PWAIT = 22 };
#endif

int epoll_wait(int set, void *events, int count, int ms)
{
  return syscall(EPOLL_PWAIT, set, events, count, ms, 0, 8);
}
