import { beforeEach, expect, it, vi } from 'vitest';
import { hooks } from '#lib/testing/held-hooks.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import type * as Actions from './actions.ts';
import { useSigned } from './use-signed.ts';

/** An approval that is signed with a code: what may be typed again, and what begins anew. */

// The tests run without a page: the hook is called as a function.
vi.mock('react', async () => (await import('#lib/testing/held-hooks.ts')).heldHooks);

const askToSign = vi.hoisted(() => vi.fn<typeof Actions.askToSign>());
vi.mock('./actions.ts', () => ({ askToSign }));

const STEP_UP = { challengeId: 'challenge', passkey: null, canAddKey: true, signIn: true };
const CODE = { challengeId: 'challenge', secret: 'secret', code: '123456' };
const approve = vi.fn<(before: ActionMessage, form: FormData) => Promise<ActionMessage>>();

function drawn(): ReturnType<typeof useSigned> {
  hooks.next = 0;
  return useSigned(approve, { purpose: 'approve', signs: true });
}

async function answered(): Promise<ReturnType<typeof useSigned>> {
  drawn().answer(CODE);
  await hooks.done;
  return drawn();
}

beforeEach(async () => {
  hooks.held = [];
  approve.mockReset();
  askToSign.mockResolvedValue({ ok: true, value: { asked: 'step_up', ...STEP_UP } });
  drawn().submit(new FormData());
  await hooks.done;
});

it('a mistyped code may be typed again', async () => {
  approve.mockResolvedValueOnce({ ok: false, text: 'Wrong code.', retype: true });
  expect(await answered()).toMatchObject({ asked: STEP_UP, message: { text: 'Wrong code.' } });
});

it.each([
  ['that is too late', async () => ({ ok: false, text: 'Late.' })],
  ['whose answer is lost', async () => Promise.reject(new TypeError('failed to fetch'))],
  ['that counts', async () => ({ ok: true, text: 'Approved.' })],
])('a code %s is asked for no longer', async (_what, answer) => {
  approve.mockImplementationOnce(answer);
  const { asked, message } = await answered();
  expect([asked, message === null]).toEqual([null, false]);
});
