import { afterEach, expect, it, vi } from 'vitest';
import { startSignIn } from './ask.ts';
import { confirmCode } from './confirm-code.ts';

afterEach(() => vi.unstubAllGlobals());

function form(fields: Record<string, string>): FormData {
  const made = new FormData();
  for (const [name, text] of Object.entries(fields)) made.set(name, text);
  return made;
}

it('an empty sign-in form names each field that is missing, and asks the server nothing', async () => {
  const fetched = vi.fn<() => void>();
  vi.stubGlobal('fetch', fetched);
  expect(await startSignIn(form({ email: ' ', password: '' }))).toEqual({
    step: 'password',
    error: { code: 'bad_input', missing: ['email', 'password'] },
  });
  expect(await startSignIn(form({ email: 'ayse@example.com', password: '' }))).toMatchObject({
    error: { missing: ['password'] },
  });
  const code = { step: 'code', now: 'n', expiresAt: 'e', resendAt: 'r' } as const;
  expect(await confirmCode(code, form({ code: '' }))).toEqual({
    ...code,
    error: { code: 'bad_input', missing: ['code'] },
  });
  expect(fetched).not.toHaveBeenCalled();
});
