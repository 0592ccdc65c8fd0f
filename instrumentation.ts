/**
 * Once per web process, before the first request: a bad environment stops it with one readable
 * line.
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { boot } = await import('#lib/login/boot.ts');
  await boot();
}
