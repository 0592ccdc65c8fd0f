import { changesUnseenBy, listening, subscribe } from '#lib/live/subscribe.ts';
import type { LiveEvent, PublishedEvent } from '#lib/live/subscribe.ts';
import { isSnapshot } from '#lib/live/snapshot.ts';
import type { Person } from '#lib/access/actor.ts';
import { currentPerson, isDisabled, readSession } from '#lib/login/session.ts';
import { errorFields, log } from '#lib/runtime/log.ts';

export const dynamic = 'force-dynamic';

const SIGNED_OUT = 'event: signed-out\ndata: {}\n\n';
const DISABLED = 'event: signed-out\ndata: {"disabled":true}\n\n';
const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
};
const BEAT_MS = 15_000;
const STREAMS_MAX = 500;
const STREAMS_A_PERSON_MAX = 10;
let streams = 0;
const streamsOf = new Map<string, number>();

/**
 * Live changes as server-sent events: which rows changed, never their contents. A stream ends with
 * its session. With `?since=<snapshot>` of a page it begins with the changes that the page does not
 * show. Its first event `from` says from which snapshot on it is complete: that of the page, or a
 * later one where this process cannot know what came before.
 */
export async function GET(request: Request): Promise<Response> {
  // Connecting may take a while. The session is read after it: otherwise the end of a session that
  // ends meanwhile would be published before this stream listens.
  await listening();
  const session = await sessionNow();
  if (session === 'unknown') return later();
  if (!session) return refuse(request);
  const { person } = session;
  if (streams >= STREAMS_MAX || (streamsOf.get(person.personId) ?? 0) >= STREAMS_A_PERSON_MAX)
    return later();
  if (request.signal.aborted) return new Response(null, { status: 503 });
  countStream(person.personId, 1);
  const encoder = new TextEncoder();
  let stop = (): void => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string): void => controller.enqueue(encoder.encode(text));
      // Changes announced in the same turn of the event loop are sent in one write: with a hundred
      // streams each separate write is made a hundred times, and the last stream waits for all of
      // them.
      let waiting = '';
      const flush = (): void => {
        if (waiting !== '') send(waiting);
        waiting = '';
      };
      const write = (event: Announced): void => {
        if (waiting === '') setImmediate(flush);
        waiting +=
          'by' in event && event.by === person.sessionId ? ownMessageOf(event) : messageOf(event);
      };
      const unsubscribe = subscribe(person.merchantId, (event) => {
        if (event.kind !== 'session') write(event);
        else if (event.id === person.sessionId) end();
      });
      const beat = setInterval(() => {
        currentPerson({ touch: false })
          .then(
            (still) => (still ? send(': beat\n\n') : end()),
            () => send(': beat\n\n'),
          )
          // Whoever has left while the session was read needs no beat.
          .catch(() => undefined);
      }, BEAT_MS);
      stop = () => {
        countStream(person.personId, -1);
        clearInterval(beat);
        unsubscribe();
        waiting = '';
        stop = () => undefined;
      };
      const end = (): void => {
        stop();
        lastWordOf(person)
          .then((text) => {
            send(text);
            controller.close();
          })
          // Whoever has left meanwhile needs no last word.
          .catch(() => undefined);
      };
      request.signal.addEventListener('abort', () => stop());
      const { from, changes } = sofar(request, person.merchantId, session.snapshot);
      send(`retry: 2000\nevent: from\ndata: ${from}\n\n`);
      for (const change of changes) write(change);
    },
    cancel: () => stop(),
  });
  return new Response(body, { headers: { ...HEADERS, 'x-accel-buffering': 'no' } });
}

/** `unknown`: the database cannot be asked, and the page opens its stream again by itself. */
async function sessionNow(): Promise<Awaited<ReturnType<typeof readSession>> | 'unknown'> {
  try {
    return await readSession();
  } catch (error) {
    log.warn('a live stream was not opened', errorFields(error));
    return 'unknown';
  }
}

function later(): Response {
  return new Response(null, { status: 503, headers: { 'retry-after': '5' } });
}

/** Where a stream begins that is subscribed already, and the changes that it misses. */
function sofar(
  request: Request,
  merchantId: string,
  opened: string,
): { from: string; changes: readonly Announced[] } {
  const since = new URL(request.url).searchParams.get('since');
  const missed = isSnapshot(since) ? changesUnseenBy(merchantId, since) : null;
  if (isSnapshot(since) && missed !== null) return { from: since, changes: missed };
  return { from: opened, changes: changesUnseenBy(merchantId, opened) ?? [] };
}

/** What a stream ends with. Who was disabled is not promised that a new sign-in goes on from here. */
async function lastWordOf(person: Person): Promise<string> {
  const disabled = await isDisabled(person).catch(() => false);
  return disabled ? DISABLED : SIGNED_OUT;
}

/** Next.js would answer HEAD like GET and leave a stream open that has no reader. */
export function HEAD(): Response {
  return new Response(null, { status: 405 });
}

function countStream(personId: string, change: 1 | -1): void {
  streams += change;
  const left = (streamsOf.get(personId) ?? 0) + change;
  if (left > 0) streamsOf.set(personId, left);
  else streamsOf.delete(personId);
}

/**
 * An EventSource cannot read a status code and would reconnect for ever, so the refusal is sent as
 * an event.
 */
function refuse(request: Request): Response {
  if (request.headers.get('accept') !== 'text/event-stream')
    return new Response(null, { status: 401 });
  return new Response(SIGNED_OUT, { headers: HEADERS });
}

type Announced = Exclude<PublishedEvent, { kind: 'session' }>;
type Change = Exclude<Announced, { kind: 'database' }>;
const messages = new WeakMap<Announced, string>();

/**
 * Every stream of another session gets the same text, so it is serialised once. Whose change it is
 * stays on the server.
 */
function messageOf(event: Announced): string {
  const message =
    messages.get(event) ??
    textOf(
      event.kind === 'database'
        ? event
        : about(event, event.by === undefined ? {} : { own: false }),
    );
  messages.set(event, message);
  return message;
}

function ownMessageOf(event: Change): string {
  return textOf(about(event, { own: true }));
}

function about({ kind, id, tx }: Change, own: { own?: boolean }): LiveEvent {
  return { kind, id, ...own, ...(tx !== undefined && { tx }) };
}

function textOf(event: LiveEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
