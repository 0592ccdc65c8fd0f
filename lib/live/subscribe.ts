import 'server-only';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { listen } from '#lib/runtime/db.ts';
import { log } from '#lib/runtime/log.ts';
import { LIVE_KINDS } from './kinds.ts';
import type { LiveKind } from './kinds.ts';
import { RecentChanges } from './recent-changes.ts';

/**
 * What an open page receives: some data has changed, or the state of the database connection has.
 * Never content. `own`: whether a person made the change in the page's own session or in another;
 * absent when a worker made it. `tx`: the transaction that made it.
 */
export type LiveEvent =
  | { kind: LiveKind; id: string; own?: boolean; tx?: string }
  | { kind: 'database'; up: boolean };
/**
 * What a stream receives. `by`: the session that made the change, unless a worker did. `session`:
 * that session has ended; its stream ends, no page is told.
 */
export type PublishedEvent =
  | { kind: LiveKind; id: string; by?: string | undefined; tx?: string | undefined }
  | { kind: 'session'; id: string }
  | { kind: 'database'; up: boolean };

type Subscriber = { merchantId: string; onEvent: (event: PublishedEvent) => void };

const RECONNECT_MS = 1_000;
/** More changes than are announced while a page is loading, even in a burst of webhooks. */
const RECENT_MAX = 2_000;

/**
 * One listening connection per web process, for any number of open pages. Kept on `globalThis`, so
 * that a reload of this module in development does not open another.
 */
type Hub = {
  subscribers: Set<Subscriber>;
  up: boolean;
  first: Promise<void> | null;
  recent: RecentChanges<RecentChange>;
};
type RecentChange = Announced & { merchantId: string };
type Announced = Extract<PublishedEvent, { kind: LiveKind }>;
declare global {
  var dashboardHub: Hub | undefined;
}
const hub: Hub = (globalThis.dashboardHub ??= {
  subscribers: new Set(),
  up: true,
  first: null,
  recent: new RecentChanges(RECENT_MAX),
});

/** Receives every further change of this merchant. Returns the function that unsubscribes. */
export function subscribe(
  merchantId: string,
  onEvent: (event: PublishedEvent) => void,
): () => void {
  const subscriber = { merchantId, onEvent };
  hub.subscribers.add(subscriber);
  if (!hub.up) onEvent({ kind: 'database', up: false });
  return () => hub.subscribers.delete(subscriber);
}

/**
 * The announced changes of this merchant that a reading at `snapshot` did not see; null when some of
 * them may be missing.
 */
export function changesUnseenBy(merchantId: string, snapshot: string): Announced[] | null {
  return (
    hub.recent.unseenBy(snapshot)?.filter((change) => change.merchantId === merchantId) ?? null
  );
}

/**
 * Resolves when this process listens, or cannot listen: a stream that opened earlier would miss the
 * changes in between.
 */
export function listening(): Promise<void> {
  return (hub.first ??= new Promise((resolve) => void keepListening(resolve)));
}

async function keepListening(begun: () => void): Promise<void> {
  for (;;) {
    try {
      const connection = await listen('dashboard', deliver);
      const ended = new Promise<void>((resolve) =>
        connection.once('end', () => resolve()).once('error', () => resolve()),
      );
      hub.recent.completeFrom(connection.snapshot);
      setUp(true);
      begun();
      await ended;
      await connection.end().catch(() => undefined);
    } catch {
      // `setUp(false)` below reports the lost connection; the next round of the loop connects
      // again.
    }
    hub.recent.clear();
    setUp(false);
    begun();
    await pause(RECONNECT_MS);
  }
}

const TRANSACTION = /^\d{1,20}$/;

/**
 * Any database user may NOTIFY: a payload that does not match what `publish.ts` writes is
 * ignored.
 */
const announcement = z.object({
  merchantId: z.string(),
  kind: z.enum([...LIVE_KINDS, 'session']),
  id: z.string(),
  by: z.string().optional(),
  tx: z.string().regex(TRANSACTION).optional(),
});

function deliver(payload: string): void {
  const read = announcement.safeParse(parsed(payload));
  if (!read.success) return log.warn('a published change cannot be read');
  const { merchantId, kind, ...rest } = read.data;
  const event: PublishedEvent = kind === 'session' ? { kind, id: rest.id } : { kind, ...rest };
  if (event.kind !== 'session') hub.recent.add({ merchantId, ...event });
  for (const subscriber of hub.subscribers)
    if (subscriber.merchantId === merchantId) subscriber.onEvent(event);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Pages are told of a reconnect too: changes in between were lost, so they reload their data. */
function setUp(up: boolean): void {
  if (hub.up === up) return;
  hub.up = up;
  for (const subscriber of hub.subscribers) subscriber.onEvent({ kind: 'database', up });
}
