// Preloaded (`--import`) into every long-lived Node process that the supervisor starts. The IPC
// channel closes when the supervisor is gone, even after SIGKILL, which no handler in the
// supervisor could have announced.
if (process.channel) {
  process.on('disconnect', () => process.exit(1));
  // The channel must not keep alive a process that has finished by itself. (`next dev` hands this
  // preload on to its own child, which waits on its channel for orders and would end at once.)
  if (process.env.NEXT_PRIVATE_WORKER === undefined) process.channel.unref();
}
