import { Children, isValidElement } from 'react';
import type * as React from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SignOutButton } from './sign-out-button.tsx';

/** What a press of the button shows, and whether it leads to the sign-in. */

const hook = vi.hoisted(() => ({ state: undefined as unknown }));
// The tests run without a page: the component is called as a function, and its state is kept here.
vi.mock('react', async (original) => ({
  ...(await original<typeof React>()),
  useState: (first: unknown) => [
    hook.state ?? first,
    (value: unknown) => void (hook.state = value),
  ],
}));

// The links of Next.js need the complete React.
vi.mock('#components/ui/link.tsx', () => ({ Link: 'a' }));

const FAILED = 'It could not be ended.';
const assign = vi.fn<(path: string) => void>();
beforeEach(() => {
  hook.state = undefined;
  vi.stubGlobal('location', { assign });
});
afterEach(() => {
  vi.unstubAllGlobals();
  assign.mockClear();
});

/** Presses the button, and returns what the alert beside it says afterwards. */
async function pressed(answer: () => Promise<Response>): Promise<unknown> {
  vi.stubGlobal('fetch', answer);
  const [button] = parts();
  (button!.onClick as () => void)();
  await new Promise((done) => setImmediate(done));
  return parts()[1]!.children;
}

function parts(): Record<string, unknown>[] {
  const drawn = SignOutButton({ failed: FAILED, children: 'Sign out' });
  if (!isValidElement<{ children: React.ReactNode }>(drawn)) throw new Error('nothing is drawn');
  return Children.toArray(drawn.props.children).map(
    (one) => (one as React.ReactElement<Record<string, unknown>>).props,
  );
}

it('leads to the sign-in once the server has ended the session', async () => {
  await pressed(async () => new Response(null, { status: 204 }));
  expect(assign).toHaveBeenCalledWith('/login');
});

it.each([
  ['the server could not end it', async () => new Response(null, { status: 503 })],
  ['the connection broke', async () => Promise.reject(new TypeError('failed to fetch'))],
])('says so and stays when %s', async (_what, answer) => {
  expect(await pressed(answer)).toBe(FAILED);
  expect(assign).not.toHaveBeenCalled();
});
