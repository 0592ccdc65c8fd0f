import 'server-only';
import { setTimeout as pause } from 'node:timers/promises';
import { merchantId } from '#lib/access/merchant.ts';
import { createFaultLog } from '#lib/runtime/fault-log.ts';
import { log } from '#lib/runtime/log.ts';
import { finishStops } from './control.ts';
import { feedOneBatch } from './feed.ts';

const POLL_MS = 1_000;

/** Makes movements of the rows of running batches, as long as this web process runs. */
export async function keepFeeding(): Promise<never> {
  const sayFault = createFaultLog(log.error);
  for (;;) {
    const isBusy = await feedOneBatch(merchantId()).catch((error: unknown) => {
      sayFault('the rows of a batch were not made movements', error);
      return false;
    });
    if (!isBusy)
      await finishStops(merchantId()).catch((error: unknown) =>
        sayFault('what a stop left behind was not cancelled', error),
      );
    // It does not keep a process alive that ends otherwise.
    if (!isBusy) await pause(POLL_MS, undefined, { ref: false });
  }
}
