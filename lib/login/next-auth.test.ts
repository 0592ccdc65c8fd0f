import { expect, it, vi } from 'vitest';

/** Step two of the sign-in, called with bodies that no page of ours sends. */

const asked = vi.fn<(secret: string, code: string) => Promise<{ code: string }>>();

vi.mock('next/headers', () => ({
  cookies: async () => ({ get: () => ({ value: 'secret' }) }),
  headers: async () => new Headers(),
}));
vi.mock('next/navigation', () => ({ redirect: () => undefined }));
vi.mock('./challenge.ts', () => ({ answerChallenge: asked }));
vi.mock('#lib/runtime/i18n.ts', () => ({ resolveLocale: async () => 'tr' }));
vi.mock('#lib/runtime/env.ts', () => ({
  env: () => ({ appOrigin: 'https://desk.test', authSecret: 'a'.repeat(32), timeZone: 'UTC' }),
}));
const { authOptions } = await import('./next-auth.ts');

const answer = (code: unknown): Promise<unknown> => {
  const [provider] = authOptions().providers;
  const { authorize } = (
    provider as unknown as { options: { authorize(given: object): Promise<unknown> } }
  ).options;
  return authorize({ code });
};

it.each([{ a: 1 }, ['123456'], 123456, null, undefined, true, '12345x', ''])(
  'the code %j is answered as one that was mistyped, and counts no attempt',
  async (code) => {
    await expect(answer(code)).rejects.toThrow(/^bad_input$/);
    expect(asked).not.toHaveBeenCalled();
  },
);

it('a code that was pasted with blanks is read without them', async () => {
  asked.mockResolvedValue({ code: 'unavailable' });
  await expect(answer(' 123 456 ')).rejects.toThrow(/^unavailable$/);
  expect(asked.mock.calls[0]?.slice(0, 2)).toEqual(['secret', '123456']);
});
