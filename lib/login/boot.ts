import 'server-only';
import { envOrEnd } from '#lib/runtime/env.ts';
import { guardHttp } from '#lib/runtime/http-server.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { ensureMerchant } from '#lib/access/merchant.ts';
import { guardOutput } from '#lib/runtime/output.ts';

/**
 * The web's start: the environment must be valid. The database may come up later, and every request
 * checks for it again.
 */
export async function boot(): Promise<void> {
  guardOutput();
  envOrEnd();
  guardHttp();
  await ensureMerchant().catch((error: unknown) =>
    log.warn('the merchant is not set up yet', errorFields(error)),
  );
}
