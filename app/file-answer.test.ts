import { beforeEach, expect, it, vi } from 'vitest';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';

/** What a person gets whose file cannot be sent. */

const PERSON = { personId: 'somebody', role: 'auditor', merchantId: 'ours' } as Person;
const away = (): never => {
  throw Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' });
};
let person: () => Person | null;

vi.mock('next-intl/server', () => ({
  getLocale: async () => 'tr',
  getTimeZone: async () => 'Europe/Istanbul',
  getTranslations: async () => (code: string) => code,
}));
vi.mock('#lib/login/session.ts', () => ({ currentPerson: async () => person() }));
vi.mock('#lib/audit/export.ts', () => ({ openExport: away, readCheckpoints: away }));
vi.mock('#lib/receipts/view.ts', () => ({ readReceiptFile: away }));
vi.mock('#lib/batches/draft/create.ts', () => ({ createDraft: away }));
vi.mock('#lib/runtime/origin.ts', () => ({ fromOwnOrigin: async () => true }));
const { answerWithFile } = await import('./file-answer.ts');
const trail = await import('./audit/export/route.ts');
const checkpoints = await import('./audit/checkpoints/route.ts');
const receipt = await import('./receipts/[id]/raw/route.ts');
const batches = await import('./api/batches/route.ts');

beforeEach(() => {
  person = () => PERSON;
});

const request = (init?: RequestInit): Request => new Request('https://desk.test/x', init);
const ask: Record<string, () => Promise<Response>> = {
  'a file': () => answerWithFile(request(), away),
  'the audit log': () => trail.GET(request()),
  'the checkpoints': () => checkpoints.GET(request()),
  'a receipt': () => receipt.GET(request(), { params: Promise.resolve({ id: 'x' }) }),
};

it.each(Object.keys(ask))('%s without a database is no fault of the server: 503', async (what) => {
  expect((await ask[what]!()).status).toBe(503);
  person = away;
  const answer = await ask[what]!();
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([503, 'no-store']);
});

it('a file that could not be made says so in words, and when to try again', async () => {
  const answer = await answerWithFile(request(), away);
  expect([await answer.text(), answer.headers.get('retry-after')]).toEqual([
    'file_unavailable',
    '5',
  ]);
});

it('a refusal keeps its own status, and a file that does not exist is not found', async () => {
  const refused = (code: 'too_many' | 'not_found' | 'not_allowed') =>
    answerWithFile(request(), () => Promise.reject(new Refusal(code, { seconds: 7 })));
  expect((await refused('too_many')).headers.get('retry-after')).toBe('7');
  expect((await refused('too_many')).status).toBe(429);
  expect((await refused('not_found')).status).toBe(404);
  expect((await answerWithFile(request(), async () => null)).status).toBe(404);
  person = () => null;
  expect((await answerWithFile(request(), away)).status).toBe(401);
});

it('a payouts file that arrives without a database is answered 503, with or without a session', async () => {
  const upload = () =>
    batches.POST(
      request({
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: 'x',
      }),
    );
  person = () => ({ ...PERSON, role: 'clerk' });
  expect((await upload()).status).toBe(503);
  person = away;
  expect(await (await upload()).json()).toEqual({ text: null });
});
