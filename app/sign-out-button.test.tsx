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

const WORDS = { failed: 'Signed out only here.', unreached: 'Still signed in.', signIn: 'Sign in' };
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
  const drawn = SignOutButton({ words: WORDS, children: 'Sign out' });
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
  ['could not end it', 503],
  ['found nobody who is signed in', 401],
])('becomes a link to the sign-in, with the reason, when the server %s', async (_what, status) => {
  expect(await pressed(async () => new Response(null, { status }))).toBe(WORDS.failed);
  expect(parts()[0]).toMatchObject({ href: '/login', children: WORDS.signIn });
  expect(assign).not.toHaveBeenCalled();
});

it.each([
  ['the connection broke', async () => Promise.reject(new TypeError('failed to fetch'))],
  ['something else answered', async () => new Response(null, { status: 502 })],
])(
  'says that the person is still signed in, and can be pressed again, when %s',
  async (_what, answer) => {
    expect(await pressed(answer)).toBe(WORDS.unreached);
    await pressed(async () => new Response(null, { status: 204 }));
    expect(assign).toHaveBeenCalledWith('/login');
  },
);
