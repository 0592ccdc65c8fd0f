import { beforeEach, expect, it, vi } from 'vitest';
import { hooks } from '#lib/testing/held-hooks.ts';
import type { Reply } from './actions.ts';
import type { StepUpAnswer } from './step-up-answer.ts';
import { useCode } from './use-code.ts';

/** The password and the code of a step-up: one press sends one code. */

// The tests run without a page: the hook is called as a function.
vi.mock('react', async () => (await import('#lib/testing/held-hooks.ts')).heldHooks);

const sendCode = vi.hoisted(() => vi.fn<(input: unknown) => Promise<Reply<string>>>());
vi.mock('./actions.ts', () => ({ sendCode }));

const MISSING = 'Type the code.';
const given: StepUpAnswer[] = [];

function drawn(answering = false): ReturnType<typeof useCode> {
  hooks.next = 0;
  return useCode('challenge', { answering, missing: MISSING }, (answer) => void given.push(answer));
}

beforeEach(() => {
  hooks.held = [];
  given.length = 0;
  sendCode.mockReset();
});

it('sends one code, however often the button is pressed before the answer', async () => {
  let send = (_reply: Reply<string>): void => undefined;
  sendCode.mockReturnValue(new Promise((resolve) => (send = resolve)));
  drawn().type('a password');
  const first = drawn().goOn();
  expect(drawn().pending).toBe(true);
  await drawn().goOn();
  send({ ok: true, value: 'secret' });
  await first;
  expect(sendCode.mock.calls).toEqual([[{ challengeId: 'challenge', password: 'a password' }]]);
  expect(drawn()).toMatchObject({ asksCode: true, typed: '', pending: false });
});

it('gives the typed code once while it is being checked', async () => {
  sendCode.mockResolvedValue({ ok: true, value: 'secret' });
  await drawn().goOn();
  await drawn().goOn();
  expect([given, drawn().problem]).toEqual([[], MISSING]);
  drawn().type('12 34 56');
  await drawn().goOn();
  await drawn(true).goOn();
  expect(given).toEqual([{ challengeId: 'challenge', secret: 'secret', code: '123456' }]);
});

it('keeps the password and says what happened where no code was sent', async () => {
  drawn().type('a password');
  sendCode.mockResolvedValueOnce({ ok: false, text: 'Not now.' });
  await drawn().goOn();
  expect(drawn()).toMatchObject({ asksCode: false, typed: 'a password', problem: 'Not now.' });
  sendCode.mockRejectedValueOnce(new TypeError('failed to fetch'));
  await drawn().goOn();
  expect(drawn().problem).not.toBe('Not now.');
  expect(drawn()).toMatchObject({ typed: 'a password', pending: false });
});
