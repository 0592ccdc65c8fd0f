import { startRegistration } from '@simplewebauthn/browser';
import { beforeEach, expect, it, vi } from 'vitest';
import { hooks } from '#lib/testing/held-hooks.ts';
import type * as Actions from './actions.ts';
import { useNewKey } from './use-new-key.ts';

/** The way to a new passkey: no refusal is a dead end, and no try of the browser costs a code. */

// The tests run without a page: the hook is called as a function.
vi.mock('react', async () => (await import('#lib/testing/held-hooks.ts')).heldHooks);

const actions = vi.hoisted(() => ({
  askForKey: vi.fn<typeof Actions.askForKey>(),
  startKey: vi.fn<typeof Actions.startKey>(),
  finishKey: vi.fn<typeof Actions.finishKey>(),
}));
vi.mock('./actions.ts', () => actions);
vi.mock('@simplewebauthn/browser', () => ({
  startRegistration: vi.fn<typeof startRegistration>(),
}));

const WORDS = { notMade: 'No passkey was made.', added: 'Added.' };
const ASKED = { challengeId: 'challenge', passkey: null, canAddKey: true, signIn: true };
const CODE = { challengeId: 'challenge', secret: 'secret', code: '123456' };
const ALLOWED = { stepUpId: 'answer', options: {} } as Actions.AllowedKey;
const added = vi.fn<() => void>();

function drawn(): ReturnType<typeof useNewKey> {
  hooks.next = 0;
  return useNewKey('Laptop', WORDS, added);
}

const makes = vi.mocked(startRegistration);
const noKey = (): void => void makes.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));

beforeEach(async () => {
  hooks.held = [];
  for (const one of [...Object.values(actions), makes, added]) one.mockReset();
  actions.askForKey.mockResolvedValue({ ok: true, value: ASKED });
  actions.startKey.mockResolvedValue({ ok: true, value: ALLOWED });
  actions.finishKey.mockResolvedValue({ ok: true, value: 'added' });
  makes.mockResolvedValue({} as Awaited<ReturnType<typeof startRegistration>>);
  await drawn().begin();
});

it('asks who the person is, and adds the key that the browser makes', async () => {
  expect(drawn().step).toEqual({ at: 'asked', asked: ASKED });
  await drawn().answer(CODE);
  expect(drawn()).toMatchObject({
    step: { at: 'start' },
    message: { ok: true, text: WORDS.added },
    pending: false,
  });
  expect(added).toHaveBeenCalledOnce();
});

it('lets a mistyped code be typed again', async () => {
  actions.startKey.mockResolvedValueOnce({ ok: false, text: 'Wrong code.', retype: true });
  await drawn().answer(CODE);
  expect(drawn()).toMatchObject({ step: { at: 'asked' }, message: { text: 'Wrong code.' } });
});

it.each([
  [
    'is refused for good',
    () => actions.startKey.mockResolvedValueOnce({ ok: false, text: 'Late.' }),
  ],
  ['is lost', () => actions.startKey.mockRejectedValueOnce(new TypeError('failed to fetch'))],
])('begins anew when the answer with a code %s', async (_what, refuse) => {
  refuse();
  await drawn().answer(CODE);
  expect(drawn()).toMatchObject({ step: { at: 'start' }, message: { ok: false }, pending: false });
  await drawn().begin();
  expect(drawn().step.at).toBe('asked');
});

it('needs no other code when the browser made no key', async () => {
  noKey();
  await drawn().answer(CODE);
  expect(drawn()).toMatchObject({
    step: { at: 'allowed' },
    message: { ok: false, text: WORDS.notMade },
  });
  noKey();
  await drawn().make();
  await drawn().make();
  expect(drawn().message).toEqual({ ok: true, text: WORDS.added });
  expect([actions.startKey.mock.calls.length, makes.mock.calls.length]).toEqual([1, 3]);
});

it('gives one answer while the first is being checked', async () => {
  const first = drawn().answer(CODE);
  await drawn().answer(CODE);
  await first;
  expect(actions.startKey).toHaveBeenCalledOnce();
});

it('can be left at every step', async () => {
  drawn().leave();
  expect(drawn().step.at).toBe('start');
  await drawn().begin();
  noKey();
  await drawn().answer(CODE);
  drawn().leave();
  expect(drawn()).toMatchObject({ step: { at: 'start' }, message: null });
});
