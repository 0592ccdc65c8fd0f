import { beforeEach, expect, test, vi } from 'vitest';
import type { PublishedEvent } from '#lib/live/subscribe.ts';

/** Who gets a stream, how many streams a session may have, and when one ends. */

let person: { personId: string; sessionId: string; merchantId: string } | null;
let listens: Promise<void>;
const hearers = new Set<(event: PublishedEvent) => void>();

vi.mock('#lib/login/session.ts', () => ({ currentPerson: async () => person }));
vi.mock('#lib/live/subscribe.ts', () => ({
  listening: () => listens,
  subscribe: (_merchant: string, hear: (event: PublishedEvent) => void) => {
    hearers.add(hear);
    return () => hearers.delete(hear);
  },
}));
const { GET } = await import('./route.ts');

beforeEach(() => {
  person = { personId: 'somebody', sessionId: 'theirs', merchantId: 'ours' };
  listens = Promise.resolve();
});

const ask = (signal?: AbortSignal) =>
  GET(
    new Request('https://desk.test/api/events', {
      headers: { accept: 'text/event-stream' },
      ...(signal && { signal }),
    }),
  );

test('a session that ends while its stream is still being opened gets none', async () => {
  let begin = (): void => undefined;
  listens = new Promise((resolve) => (begin = resolve));
  const asked = ask();
  await new Promise((done) => setImmediate(done));
  person = null;
  begin();
  expect(await (await asked).text()).toBe('event: signed-out\ndata: {}\n\n');
  expect(hearers.size).toBe(0);
});

test('a person has ten streams; ending one makes room for one, and ends no stream of another session', async () => {
  const leaving = new AbortController();
  const first = await ask(leaving.signal);
  const open = [first];
  for (let n = 1; n < 10; n++) open.push(await ask());
  expect((await ask()).status).toBe(503);
  leaving.abort();
  await open[1]!.body!.cancel();
  expect(hearers.size).toBe(8);
  open.push(await ask(), await ask());
  expect((await ask()).status).toBe(503);
  for (const hear of [...hearers]) hear({ kind: 'session', id: 'a colleague’s' });
  expect(hearers.size).toBe(10);
  for (const hear of [...hearers]) hear({ kind: 'session', id: 'theirs' });
  expect(hearers.size).toBe(0);
  expect(await open[2]!.text()).toMatch(/event: signed-out\ndata: \{\}\n\n$/);
  expect((await ask()).status).toBe(200);
});

test('a change is told as own to the session that made it, and no page learns whose it is', async () => {
  const mine = await ask();
  person = { personId: 'somebody else', sessionId: 'another', merchantId: 'ours' };
  const other = await ask();
  for (const hear of [...hearers]) {
    hear({ kind: 'card', id: '7', by: 'theirs' });
    hear({ kind: 'card', id: '8' });
  }
  await new Promise((done) => setImmediate(done));
  for (const hear of [...hearers]) hear({ kind: 'session', id: 'theirs' });
  for (const hear of [...hearers]) hear({ kind: 'session', id: 'another' });
  expect(await told(mine)).toEqual([
    { kind: 'card', id: '7', own: true },
    { kind: 'card', id: '8' },
  ]);
  expect(await told(other)).toEqual([
    { kind: 'card', id: '7', own: false },
    { kind: 'card', id: '8' },
  ]);
});

async function told(stream: Response): Promise<unknown[]> {
  const text = await stream.text();
  return [...text.matchAll(/^data: (\{"kind".*)$/gm)].map(([, data]) => JSON.parse(data!));
}
