// Preloaded (`--import`) into every long-lived Node process that the supervisor starts. The IPC
// channel closes when the supervisor ends, even by SIGKILL, after which the supervisor could not
// have told its children. This process then ends too.
if (process.channel) {
  process.on('disconnect', () => process.exit(1));
  // The channel must not keep alive a process that has finished by itself. `next dev` passes this
  // preload on to its own child, which waits for orders on its channel and would end at once.
  if (process.env.NEXT_PRIVATE_WORKER === undefined) process.channel.unref();
}
