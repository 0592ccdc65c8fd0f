import 'server-only';
import { once } from 'node:events';
import * as z from 'zod';

const message = z.object({ begin: z.record(z.string(), z.string()) });

/** Whether this process has to wait for its environment. */
export function waitsToBegin(): boolean {
  return process.env['BEGIN_WHEN_TOLD'] === '1' && process.channel != null;
}

/**
 * Waits until the process that started this one sends `begin`, and sets the variables that come
 * with it. `npm start` sets BEGIN_WHEN_TOLD and starts all its processes together: they load their
 * code while PostgreSQL starts, and begin when it is migrated and the sandbox has named its
 * credentials. In every other case this resolves at once.
 */
export async function toldToBegin(): Promise<void> {
  if (!waitsToBegin()) return;
  // A channel that is not referenced would let this process end while it waits.
  process.channel?.ref();
  const [received] = (await once(process, 'message')) as [unknown];
  process.channel?.unref();
  Object.assign(process.env, message.parse(received).begin);
}

/** Announces that this process is ready to the one that started it, if that listens. */
export function announceReady(): void {
  process.send?.({ ready: true });
}
