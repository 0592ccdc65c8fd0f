import { RecentChanges } from '#lib/live/recent-changes.ts';
import { isSnapshot, saw, sawAllOf } from '#lib/live/snapshot.ts';
import type { LiveEvent } from '#lib/live/subscribe.ts';

/**
 * The live stream of changes: one stream for each tab, however many components listen. It is closed
 * while the tab is hidden, and reopened after growing delays when it is lost. Changes that are
 * announced while it is closed are missed, so the listeners get `resumed` and read again.
 *
 * The first opening of a page gives the database snapshot of the page's drawing, and the stream
 * begins with the changes since. A listener that comes later, on a part of the page that has loaded
 * or on another page, gives the snapshot of its own drawing and gets what it does not show.
 */

/** `lost`: the stream dropped and is being opened again. `ended`: the session is over. */
export type LiveStatus = 'connecting' | 'on' | 'lost' | 'paused' | 'ended';
export type LiveMessage = LiveEvent | { kind: 'resumed' };
type Change = Exclude<LiveEvent, { kind: 'database' }>;

/**
 * Whether what `isAbout` accepts may have changed: such a change, or the end of a time in which
 * changes were missed.
 */
export function mayConcern(message: LiveMessage, isAbout: (change: Change) => boolean): boolean {
  if (message.kind === 'resumed') return true;
  return message.kind === 'database' ? message.up : isAbout(message);
}

const ADDRESS = '/api/events';
/** A stream that a proxy buffers never opens; after this time in milliseconds it counts as lost. */
const OPEN_PATIENCE_MS = 10_000;
const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** The changes that are kept for listeners that come later. */
const RECENT_MAX = 200;

/**
 * After a change by this session, changes of the same record by a worker also count as this
 * session's own, for at most this long in milliseconds: a worker reads the record of a captured
 * payment a moment later.
 */
const OWN_FOR_MS = 2 * 60_000;
/** The time until which changes of an id count as this session's own, by id. */
const ownUntil = new Map<string, number>();

type Listener = { receive: (message: LiveMessage) => void; since: string | null };
const listeners = new Set<Listener>();
const recent = new RecentChanges<Change>(RECENT_MAX);
const watchers = new Set<() => void>();
let status: LiveStatus = 'connecting';
let source: EventSource | null = null;
let retry: ReturnType<typeof setTimeout> | undefined;
let patience: ReturnType<typeof setTimeout> | undefined;
let tries = 0;
let missed = false;
/** Whether the session ended because its person was disabled. */
let disabled = false;
/** Whether this opening of the stream has said from where on it is complete. */
let complete = false;

/**
 * Listens to every change; returns a function that ends the listening. The first listener opens the
 * stream, the last one to leave closes it. `since`: the snapshot of the drawing of what listens;
 * changes that it shows already are not told, those that it missed are told at once.
 */
export function listenLive(
  receive: (message: LiveMessage) => void,
  since: string | null = null,
): () => void {
  const listener = { receive, since: isSnapshot(since) ? since : null };
  listeners.add(listener);
  if (listeners.size === 1) begin();
  else if (complete) catchUp(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) end();
  };
}

export function watchStatus(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

/** How the session ended; null while it has not. */
export function liveEnd(): 'ended' | 'disabled' | null {
  if (status !== 'ended') return null;
  return disabled ? 'disabled' : 'ended';
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
  source = new EventSource(missed ? ADDRESS : addressSinceDrawing());
  patience = setTimeout(lose, OPEN_PATIENCE_MS);
  source.onopen = () => {
    clearTimeout(patience);
    tries = 0;
    setStatus('on');
    if (missed) tell({ kind: 'resumed' });
  };
  source.addEventListener('from', (message: MessageEvent<string>) => beginFrom(message.data));
  source.onmessage = (message: MessageEvent<string>) =>
    tell(withOwn(JSON.parse(message.data) as LiveEvent));
  source.addEventListener('signed-out', (message: MessageEvent<string>) => {
    disabled ||= message.data.includes('"disabled":true');
    endLive();
  });
  // The browser's own retry stops after an HTTP error; `lose` retries after that too.
  source.onerror = lose;
}

function addressSinceDrawing(): string {
  const since = document.documentElement.dataset['snapshot'];
  return isSnapshot(since) ? `${ADDRESS}?since=${since}` : ADDRESS;
}

/** `from`: the stream has every change that a reading at this snapshot did not see. */
function beginFrom(from: string): void {
  recent.completeFrom(from);
  complete = true;
  if (!missed)
    for (const { receive, since } of listeners)
      if (since !== null && !sawAllOf(since, from)) receive({ kind: 'resumed' });
  missed = false;
}

function catchUp({ receive, since }: Listener): void {
  if (since === null) return;
  const changes = recent.unseenBy(since);
  if (changes === null) receive({ kind: 'resumed' });
  else for (const change of changes) receive(change);
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
  recent.clear();
  complete = false;
}

function withOwn(event: LiveEvent): LiveEvent {
  if (event.kind === 'database') return event;
  const now = performance.now();
  if (event.own === true) ownUntil.set(event.id, now + OWN_FOR_MS);
  // Another session has changed this record, so a worker's later changes no longer count as own.
  if (event.own === false) ownUntil.delete(event.id);
  return (ownUntil.get(event.id) ?? 0) > now ? { ...event, own: true } : event;
}

function tell(message: LiveMessage): void {
  const isChange = message.kind !== 'database' && message.kind !== 'resumed';
  if (isChange) recent.add(message);
  const tx = isChange ? message.tx : undefined;
  for (const { receive, since } of listeners)
    if (tx === undefined || since === null || !saw(since, tx)) receive(message);
}

function setStatus(next: LiveStatus): void {
  if (status === next) return;
  status = next;
  for (const changed of watchers) changed();
}

/** Ends the stream because the session is over; any component may notice it first. */
export function endLive(): void {
  close();
  setStatus('ended');
}

/**
 * Reopens the stream after a new sign-in: that of the old session has ended, or will as soon as the
 * server looks at it.
 */
export function reopenLive(): void {
  disabled = false;
  if (listeners.size === 0) return;
  close();
  missed = true;
  followVisibility();
}
