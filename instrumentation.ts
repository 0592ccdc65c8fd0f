/**
 * Runs once per web process, before the first request: a bad environment stops the process with one
 * readable line. Listens for changes from here on, so that the first stream can tell what changed
 * since its page was drawn.
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { boot } = await import('#lib/login/boot.ts');
  await boot();
  const { keepFeeding } = await import('#lib/batches/run/keep-feeding.ts');
  void keepFeeding();
  const { listening } = await import('#lib/live/subscribe.ts');
  void listening();
}
