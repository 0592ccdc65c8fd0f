import { beforeEach, expect, test, vi } from 'vitest';

/** What the browser is told when the server ends the session, and when it cannot. */

const OWN = { 'content-type': 'application/json' };
const jar = new Map<string, { value: string; maxAge: number }>();
let ended: string[];
let isSignedIn: boolean;
let broken: 'nothing' | 'reading' | 'writing';

vi.mock('#lib/runtime/origin.ts', () => ({ fromOwnOrigin: async () => true }));
vi.mock('next/headers', () => ({
  cookies: async () => ({
    set: (name: string, value: string, { maxAge }: { maxAge: number }) =>
      jar.set(name, { value, maxAge }),
  }),
}));
vi.mock('#lib/login/session.ts', () => ({
  sessionCookie: () => ({ name: 'sid', options: {} }),
  currentPerson: async () => {
    if (broken === 'reading') throw new Error('no connection');
    return isSignedIn ? { sessionId: 'this one' } : null;
  },
  endSessions: async (_person: object, which: string) => {
    if (broken === 'writing') throw new Error('read-only transaction');
    ended.push(which);
  },
}));
const { POST } = await import('./route.ts');

beforeEach(() => {
  jar.clear();
  [ended, broken, isSignedIn] = [[], 'nothing', true];
});

const leave = (everywhere: boolean) =>
  POST(
    new Request('https://desk.test/api/sign-out', {
      method: 'POST',
      headers: OWN,
      body: JSON.stringify({ everywhere }),
    }),
  );

test('a session that was ended, or all of them, is answered with 204', async () => {
  expect((await leave(false)).status).toBe(204);
  expect((await leave(true)).status).toBe(204);
  expect(ended).toEqual(['this one', 'all']);
});

test('who is signed out already ends no session elsewhere, and is not answered as if it were so', async () => {
  isSignedIn = false;
  expect((await leave(true)).status).toBe(401);
  expect((await leave(false)).status).toBe(204);
  expect(ended).toEqual([]);
});

test.each(['reading', 'writing'] as const)(
  'a database that fails while %s is answered with 503, and the browser forgets the session',
  async (what) => {
    broken = what;
    const answer = await leave(false);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('clear-site-data')).toBe('"cache", "storage"');
    expect(jar.get('sid')).toEqual({ value: '', maxAge: 0 });
  },
);
