import 'server-only';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from '#lib/db.ts';

/** What an open page is told: something it may show has changed, or the line to the database has. Never content. */
export type LiveEvent = { kind: 'movement' | 'notice' | 'receipt' | 'sending'; id: string } | { kind: 'database'; up: boolean };

type Subscriber = { merchantId: string; hear: (event: LiveEvent) => void };

const RECONNECT_MS = 1_000;

/** One listening connection per web process, however many pages are open. It lives on `globalThis` so that a reload of this module in development does not open another. */
type Hub = { subscribers: Set<Subscriber>; up: boolean; first: Promise<void> | null };
const holder = globalThis as typeof globalThis & { dashboardHub?: Hub };
const hub: Hub = (holder.dashboardHub ??= { subscribers: new Set(), up: true, first: null });

/** Hears every change of this merchant from now on. Returns how to stop. */
export function subscribe(merchantId: string, hear: (event: LiveEvent) => void): () => void {
  const subscriber = { merchantId, hear };
  hub.subscribers.add(subscriber);
  if (!hub.up) hear({ kind: 'database', up: false });
  return () => hub.subscribers.delete(subscriber);
}

/** Resolves when this process listens, or has found that it cannot: a stream that opened earlier would miss what comes between. */
export function listening(): Promise<void> {
  return (hub.first ??= new Promise((resolve) => void keepListening(resolve)));
}

async function keepListening(begun: () => void): Promise<void> {
  for (;;) {
    try {
      const connection = await listen('dashboard', deliver);
      const ended = new Promise<void>((resolve) => connection.once('end', () => resolve()).once('error', () => resolve()));
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

function deliver(payload: string): void {
  const { merchantId, ...event } = JSON.parse(payload) as { merchantId: string } & LiveEvent;
  for (const subscriber of hub.subscribers) if (subscriber.merchantId === merchantId) subscriber.hear(event);
}

/** Coming back is told too: whatever was announced meanwhile was lost, so pages ask again. */
function setUp(up: boolean): void {
  if (hub.up === up) return;
  hub.up = up;
  for (const subscriber of hub.subscribers) subscriber.hear({ kind: 'database', up });
}
