import 'server-only';
import { env } from '#lib/env.ts';
import { errorFields, log } from '#lib/log.ts';
import { ensureMerchant } from '#lib/merchant.ts';

/** The web's start: the environment must be right; the database may come later, and is asked again by every request. */
export async function boot(): Promise<void> {
  try {
    env();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : 'Environment: unreadable'}\n`);
    process.exit(1);
  }
  await ensureMerchant().catch((error: unknown) => log.warn('the merchant is not set up yet', errorFields(error)));
}
