import { afterEach, expect, it, vi } from 'vitest';
import en from '../messages/en/error.json' with { type: 'json' };
import tr from '../messages/tr/error.json' with { type: 'json' };
import { orUnanswered } from './unanswered.ts';

afterEach(() => vi.unstubAllGlobals());

const broken = () => Promise.reject(new TypeError('Failed to fetch'));

it.each([
  ['tr', tr],
  ['en', en],
] as const)('a press without an answer is not known to have arrived (%s)', async (lang, words) => {
  vi.stubGlobal('document', { documentElement: { lang } });
  expect(await orUnanswered(broken(), 'reload')).toEqual({ ok: false, text: words.unanswered });
  expect(await orUnanswered(broken(), 'decision')).toEqual({
    ok: false,
    text: words.unansweredDecision,
  });
  expect(await orUnanswered(broken(), 'again')).toEqual({
    ok: false,
    text: words.unansweredAgain,
  });
});

it('an answer is passed on', async () => {
  const answer = { ok: true, text: 'Done.' };
  expect(await orUnanswered(Promise.resolve(answer), 'reload')).toBe(answer);
});

it('a redirect and a fault of the server, which has answered, are thrown on', async () => {
  const answered = Object.assign(new Error('NEXT_REDIRECT'), { digest: 'NEXT_REDIRECT;/' });
  await expect(orUnanswered(Promise.reject(answered), 'reload')).rejects.toBe(answered);
});
