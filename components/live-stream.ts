import type { LiveEvent } from '#lib/live/subscribe.ts';

/**
 * One live stream for each tab, however many components listen. A hidden tab closes it; a lost one
 * is reopened with growing delays. Changes announced while it was closed are missed, so listeners
 * get `resumed` and read again.
 */

/** `lost`: the stream dropped and is being opened again. `ended`: the session is over. */
export type LiveStatus = 'connecting' | 'on' | 'lost' | 'paused' | 'ended';
export type LiveMessage = LiveEvent | { kind: 'resumed' };

const ADDRESS = '/api/events';
/** A stream that a proxy buffers never opens; after this time it counts as lost. */
const OPEN_PATIENCE_MS = 10_000;
const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/**
 * What this session has changed is still its own when a worker carries it on, at most this long:
 * the record of a captured payment is read a moment later.
 */
const OWN_FOR_MS = 2 * 60_000;
/** Until when changes of these ids count as this session's own. */
const ownUntil = new Map<string, number>();

const listeners = new Set<(message: LiveMessage) => void>();
const watchers = new Set<() => void>();
let status: LiveStatus = 'connecting';
let source: EventSource | null = null;
let retry: ReturnType<typeof setTimeout> | undefined;
let patience: ReturnType<typeof setTimeout> | undefined;
let tries = 0;
let missed = false;

/**
 * Listens to every change; the first listener opens the stream, the last one to leave closes it.
 */
export function listenLive(hear: (message: LiveMessage) => void): () => void {
  listeners.add(hear);
  if (listeners.size === 1) begin();
  return () => {
    listeners.delete(hear);
    if (listeners.size === 0) end();
  };
}

export function watchStatus(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

export function liveStatus(): LiveStatus {
  return status;
}

function begin(): void {
  document.addEventListener('visibilitychange', followVisibility);
  window.addEventListener('pagehide', rest);
  window.addEventListener('pageshow', followVisibility);
  missed = false;
  followVisibility();
}

function end(): void {
  document.removeEventListener('visibilitychange', followVisibility);
  window.removeEventListener('pagehide', rest);
  window.removeEventListener('pageshow', followVisibility);
  close();
  setStatus('connecting');
}

function followVisibility(): void {
  if (document.hidden) return rest();
  if (source !== null) return;
  tries = 0;
  open();
}

function rest(): void {
  close();
  missed = true;
  setStatus('paused');
}

function open(): void {
  close();
  if (status !== 'lost') setStatus('connecting');
  source = new EventSource(ADDRESS);
  patience = setTimeout(lose, OPEN_PATIENCE_MS);
  source.onopen = () => {
    clearTimeout(patience);
    tries = 0;
    setStatus('on');
    if (missed) tell({ kind: 'resumed' });
    missed = false;
  };
  source.onmessage = (message: MessageEvent<string>) =>
    tell(withOwn(JSON.parse(message.data) as LiveEvent));
  source.addEventListener('signed-out', endLive);
  // The browser's own retry gives up silently after an HTTP error; this one does not.
  source.onerror = lose;
}

function lose(): void {
  close();
  missed = true;
  setStatus('lost');
  retry = setTimeout(open, RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]);
  tries += 1;
}

function close(): void {
  clearTimeout(retry);
  clearTimeout(patience);
  source?.close();
  source = null;
}

function withOwn(event: LiveEvent): LiveEvent {
  if (event.kind === 'database') return event;
  const now = performance.now();
  if (event.own === true) ownUntil.set(event.id, now + OWN_FOR_MS);
  // Somebody else has changed it since: what the workers make of that is no longer this session's.
  if (event.own === false) ownUntil.delete(event.id);
  return (ownUntil.get(event.id) ?? 0) > now ? { ...event, own: true } : event;
}

function tell(message: LiveMessage): void {
  for (const hear of listeners) hear(message);
}

function setStatus(next: LiveStatus): void {
  if (status === next) return;
  status = next;
  for (const changed of watchers) changed();
}

/** The session is over; any component may notice it first. */
export function endLive(): void {
  close();
  setStatus('ended');
}

/** After a new sign-in: reopens the stream that ended with the old session. */
export function reopenLive(): void {
  if (listeners.size === 0) return;
  missed = true;
  followVisibility();
}
