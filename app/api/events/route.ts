import { listening, subscribe } from '#lib/live/subscribe.ts';
import type { LiveEvent, PublishedEvent } from '#lib/live/subscribe.ts';
import { currentPerson } from '#lib/login/session.ts';

export const dynamic = 'force-dynamic';

const SIGNED_OUT = 'event: signed-out\ndata: {}\n\n';
const BEAT_MS = 15_000;
const STREAMS_MAX = 500;
const STREAMS_A_PERSON_MAX = 10;
let streams = 0;
const streamsOf = new Map<string, number>();

/**
 * Live changes as server-sent events: which rows changed, never their contents. A stream ends with
 * its session.
 */
export async function GET(request: Request): Promise<Response> {
  // Connecting may take a while. The session is read after it: otherwise the end of a session that
  // ends meanwhile would be published before this stream listens.
  await listening();
  const person = await currentPerson({ touch: false });
  if (!person) return refuse(request);
  if (streams >= STREAMS_MAX || (streamsOf.get(person.personId) ?? 0) >= STREAMS_A_PERSON_MAX)
    return new Response(null, { status: 503, headers: { 'retry-after': '5' } });
  if (request.signal.aborted) return new Response(null, { status: 503 });
  countStream(person.personId, 1);
  const encoder = new TextEncoder();
  let stop = (): void => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string): void => controller.enqueue(encoder.encode(text));
      // Changes that are announced together are written together: with a hundred streams each write
      // costs a hundred, and the last stream waits for all of them.
      let waiting = '';
      const unsubscribe = subscribe(person.merchantId, (event) => {
        if (event.kind === 'session')
          return event.id === person.sessionId ? end(SIGNED_OUT) : undefined;
        if (waiting === '') setImmediate(flush);
        waiting +=
          'by' in event && event.by === person.sessionId
            ? textOf({ kind: event.kind, id: event.id, own: true })
            : messageOf(event);
      });
      const flush = (): void => {
        if (waiting !== '') send(waiting);
        waiting = '';
      };
      const beat = setInterval(() => {
        currentPerson({ touch: false }).then(
          (still) => (still ? send(': beat\n\n') : end(SIGNED_OUT)),
          () => send(': beat\n\n'),
        );
      }, BEAT_MS);
      stop = () => {
        countStream(person.personId, -1);
        clearInterval(beat);
        unsubscribe();
        waiting = '';
        stop = () => undefined;
      };
      const end = (text: string): void => {
        send(text);
        stop();
        controller.close();
      };
      request.signal.addEventListener('abort', () => stop());
      send('retry: 2000\n: open\n\n');
    },
    cancel: () => stop(),
  });
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    },
  });
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
  return new Response(SIGNED_OUT, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store, no-transform' },
  });
}

type Told = Exclude<PublishedEvent, { kind: 'session' }>;
const messages = new WeakMap<Told, string>();

/**
 * Every stream of another session gets the same text, so it is serialised once. Whose change it is
 * stays on the server.
 */
function messageOf(event: Told): string {
  const message =
    messages.get(event) ??
    textOf(
      event.kind === 'database'
        ? event
        : { kind: event.kind, id: event.id, ...(event.by !== undefined && { own: false }) },
    );
  messages.set(event, message);
  return message;
}

function textOf(event: LiveEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
