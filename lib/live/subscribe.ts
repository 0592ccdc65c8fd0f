import 'server-only';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { listen } from '#lib/runtime/db.ts';
import { log } from '#lib/runtime/log.ts';

/**
 * What an open page is told: something it may show has changed, or the line to the database has.
 * Never content.
 */
export type LiveEvent =
  | {
      kind:
        | 'movement'
        | 'notice'
        | 'receipt'
        | 'sending'
        | 'records'
        | 'top_up'
        | 'reconciliation'
        | 'card';
      id: string;
    }
  | { kind: 'database'; up: boolean };
/** What a stream receives. `session`: one has ended; its stream ends, and no page is told. */
export type PublishedEvent = LiveEvent | { kind: 'session'; id: string };

type Subscriber = { merchantId: string; onEvent: (event: PublishedEvent) => void };

const RECONNECT_MS = 1_000;

/**
 * One listening connection per web process, however many pages are open. It lives on `globalThis`
 * so that a reload of this module in development does not open another.
 */
type Hub = { subscribers: Set<Subscriber>; up: boolean; first: Promise<void> | null };
const holder = globalThis as typeof globalThis & { dashboardHub?: Hub };
const hub: Hub = (holder.dashboardHub ??= { subscribers: new Set(), up: true, first: null });

/** Hears every change of this merchant from now on. Returns how to stop. */
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
 * Resolves when this process listens, or has found that it cannot: a stream that opened earlier
 * would miss what comes between.
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
      setUp(true);
      begun();
      await ended;
      await connection.end().catch(() => undefined);
    } catch {
      // The state below says it; the next round tries again.
    }
    setUp(false);
    begun();
    await pause(RECONNECT_MS);
  }
}

/**
 * Whoever may connect to the database may notify: what is not written as ours is
 * (`movements/evidence.ts`) says nothing to a page.
 */
const announcement = z.object({
  merchantId: z.string(),
  kind: z.enum([
    'movement',
    'notice',
    'receipt',
    'sending',
    'records',
    'top_up',
    'reconciliation',
    'card',
    'session',
  ]),
  id: z.string(),
});

function deliver(payload: string): void {
  const read = announcement.safeParse(parsed(payload));
  if (!read.success) return log.warn('an announcement that cannot be read');
  const { merchantId, ...event } = read.data;
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

/** Coming back is told too: whatever was announced meanwhile was lost, so pages ask again. */
function setUp(up: boolean): void {
  if (hub.up === up) return;
  hub.up = up;
  for (const subscriber of hub.subscribers) subscriber.onEvent({ kind: 'database', up });
}
