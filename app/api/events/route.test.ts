import { beforeEach, expect, test, vi } from 'vitest';
import type { PublishedEvent } from '#lib/live/subscribe.ts';

/** Who may open the live stream, how many streams a session may have, and when a stream ends. */

const OPENED = '20:20:';
let person: { personId: string; sessionId: string; merchantId: string } | null;
let disabled: boolean;
let unseen: Record<string, PublishedEvent[] | null>;
let listens: Promise<void>;
let away: boolean;
let beat: () => Promise<typeof person>;
const listeners = new Set<(event: PublishedEvent) => void>();

vi.mock('#lib/login/session.ts', () => ({
  currentPerson: () => beat(),
  isDisabled: async () => disabled,
  readSession: async () => {
    if (away) throw new Error('no connection');
    return person && { person, snapshot: OPENED };
  },
}));
vi.mock('#lib/live/subscribe.ts', () => ({
  listening: () => listens,
  changesUnseenBy: (_merchant: string, snapshot: string) => unseen[snapshot] ?? null,
  subscribe: (_merchant: string, listener: (event: PublishedEvent) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
}));
const { GET } = await import('./route.ts');

beforeEach(() => {
  person = { personId: 'somebody', sessionId: 'theirs', merchantId: 'ours' };
  disabled = false;
  away = false;
  beat = async () => person;
  listens = Promise.resolve();
  unseen = {};
});

const ask = (signal?: AbortSignal, query = '') =>
  GET(
    new Request(`https://desk.test/api/events${query}`, {
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
  expect(listeners.size).toBe(0);
});

test('a person has ten streams; ending one makes room for one, and ends no stream of another session', async () => {
  const leaving = new AbortController();
  const first = await ask(leaving.signal);
  const open = [first];
  for (let n = 1; n < 10; n++) open.push(await ask());
  expect((await ask()).status).toBe(503);
  leaving.abort();
  await open[1]!.body!.cancel();
  expect(listeners.size).toBe(8);
  open.push(await ask(), await ask());
  expect((await ask()).status).toBe(503);
  for (const listener of [...listeners]) listener({ kind: 'session', id: 'a colleague’s' });
  expect(listeners.size).toBe(10);
  for (const listener of [...listeners]) listener({ kind: 'session', id: 'theirs' });
  expect(listeners.size).toBe(0);
  expect(await open[2]!.text()).toMatch(/event: signed-out\ndata: \{\}\n\n$/);
  expect((await ask()).status).toBe(200);
});

test('a session that ends because its person was disabled says so: no new sign-in continues it', async () => {
  const stream = await ask();
  disabled = true;
  for (const listener of [...listeners]) listener({ kind: 'session', id: 'theirs' });
  expect(listeners.size).toBe(0);
  expect(await stream.text()).toMatch(/event: signed-out\ndata: \{"disabled":true\}\n\n$/);
});

test('a change is told as own to the session that made it, and no page learns whose it is', async () => {
  const mine = await ask();
  person = { personId: 'somebody else', sessionId: 'another', merchantId: 'ours' };
  const other = await ask();
  for (const listener of [...listeners]) {
    listener({ kind: 'card', id: '7', by: 'theirs' });
    listener({ kind: 'card', id: '8' });
  }
  await new Promise((done) => setImmediate(done));
  for (const listener of [...listeners]) listener({ kind: 'session', id: 'theirs' });
  for (const listener of [...listeners]) listener({ kind: 'session', id: 'another' });
  expect(await told(mine)).toEqual([
    { kind: 'card', id: '7', own: true },
    { kind: 'card', id: '8' },
  ]);
  expect(await told(other)).toEqual([
    { kind: 'card', id: '7', own: false },
    { kind: 'card', id: '8' },
  ]);
});

test('a stream begins with what changed since its page was drawn, and says from where on it is complete', async () => {
  const card = (tx: string): PublishedEvent => ({ kind: 'card', id: tx, by: 'theirs', tx });
  unseen = { '8:8:': [card('8'), card('9')], [OPENED]: [card('20')] };
  const opened = async (query: string) => {
    const stream = await ask(undefined, query);
    await new Promise((done) => setImmediate(done));
    for (const listener of [...listeners]) listener({ kind: 'session', id: 'theirs' });
    const text = await stream.text();
    const ids = [...text.matchAll(/^data: (\{"kind".*)$/gm)].map(
      ([, data]) => JSON.parse(data!).id,
    );
    return { from: /^event: from\ndata: (.*)$/m.exec(text)?.[1], ids };
  };
  expect(await opened('?since=8:8:')).toEqual({ from: '8:8:', ids: ['8', '9'] });
  expect(await opened('?since=5:5:'), 'older than what is known').toEqual({
    from: OPENED,
    ids: ['20'],
  });
  expect(await opened('?since=nonsense')).toEqual({ from: OPENED, ids: ['20'] });
  expect(await opened('')).toEqual({ from: OPENED, ids: ['20'] });
});

async function told(stream: Response): Promise<unknown[]> {
  const text = await stream.text();
  return [...text.matchAll(/^data: (\{"kind".*)$/gm)].map(([, data]) => JSON.parse(data!));
}

test('without a database a stream is refused until it is back, and counts for nobody', async () => {
  away = true;
  const answer = await ask();
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  expect(listeners.size).toBe(0);
  away = false;
  const stream = await ask();
  expect(stream.status).toBe(200);
  await stream.body!.cancel();
});

test('whoever leaves while their session is read again leaves no fault behind', async () => {
  const faults: unknown[] = [];
  const note = (fault: unknown): number => faults.push(fault);
  process.on('unhandledRejection', note);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let read = (): void => undefined;
  beat = () => new Promise((resolve) => (read = () => resolve(person)));
  const stream = await ask();
  vi.advanceTimersByTime(15_000);
  vi.useRealTimers();
  await stream.body!.cancel();
  read();
  await new Promise((done) => setTimeout(done));
  process.off('unhandledRejection', note);
  expect(faults).toEqual([]);
});
