/**
 * Runs once per web process, before the first request. What it starts needs the environment, which
 * may come later than the code (`lib/web/serve.ts`); the framework does not wait for it.
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  void startBackground();
}

/**
 * Listens for changes from the start on, so that the first stream can tell what changed since its
 * page was drawn.
 */
async function startBackground(): Promise<void> {
  const [{ keepFeeding }, { listening }] = await Promise.all([
    import('#lib/batches/run/keep-feeding.ts'),
    import('#lib/live/subscribe.ts'),
  ]);
  await globalThis.dashboardBegun;
  void keepFeeding();
  void listening();
}
