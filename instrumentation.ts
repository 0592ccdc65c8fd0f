/**
 * Runs once per web process, before the first request (`lib/web/serve.ts` has checked the
 * environment before). Listens for changes from here on, so that the first stream can tell what
 * changed since its page was drawn.
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { keepFeeding } = await import('#lib/batches/run/keep-feeding.ts');
  void keepFeeding();
  const { listening } = await import('#lib/live/subscribe.ts');
  void listening();
}
