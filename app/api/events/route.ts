import { listening, subscribe } from '#lib/events/live.ts';
import type { LiveEvent } from '#lib/events/live.ts';
import { currentPerson } from '#lib/session.ts';

export const dynamic = 'force-dynamic';

const SIGNED_OUT = 'event: signed-out\ndata: {}\n\n';
const BEAT_MS = 15_000;
const STREAMS_MAX = 500;
let streams = 0;

/** Live changes as server-sent events: what changed, never what it says. A stream ends with its session. */
export async function GET(request: Request): Promise<Response> {
  const person = await currentPerson({ touch: false });
  if (!person) return refuse(request);
  if (streams >= STREAMS_MAX) return new Response(null, { status: 503, headers: { 'retry-after': '5' } });
  await listening();
  const encoder = new TextEncoder();
  let stop = (): void => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      streams += 1;
      const send = (text: string): void => controller.enqueue(encoder.encode(text));
      // What is announced together is written together: a hundred streams are a hundred writes, and the last one waits for all.
      let waiting = '';
      const unsubscribe = subscribe(person.merchantId, (event: LiveEvent) => {
        if (waiting === '') setImmediate(flush);
        waiting += messageOf(event);
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
        streams -= 1;
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
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' } });
}

/** A browser's stream cannot read a status and would knock for ever, so it is told in its own words. */
function refuse(request: Request): Response {
  if (request.headers.get('accept') !== 'text/event-stream') return new Response(null, { status: 401 });
  return new Response(SIGNED_OUT, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store, no-transform' } });
}

const messages = new WeakMap<LiveEvent, string>();

/** Every stream is told the same, so it is written out once. */
function messageOf(event: LiveEvent): string {
  const message = messages.get(event) ?? `data: ${JSON.stringify(event)}\n\n`;
  messages.set(event, message);
  return message;
}
