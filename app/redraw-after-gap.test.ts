import { beforeEach, expect, it, vi } from 'vitest';
import type { LiveMessage } from '#components/live-stream.ts';
import { hooks } from '#lib/testing/held-hooks.ts';
import { Follow } from './cards/payments/[id]/follow.tsx';
import { KeepCurrent } from './receipts/keep-current.tsx';
import { RedrawWhenRead } from './wallets/flow/redraw-when-read.tsx';

/** The parts of pages that redraw by themselves, after changes that they could not receive. */

const page = vi.hoisted(() => ({
  receive: (_message: LiveMessage): void => undefined,
  refresh: vi.fn<() => void>(),
}));
// The tests run without a page: the components are called as functions.
vi.mock('react', async () => (await import('#lib/testing/held-hooks.ts')).heldHooks);
vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: page.refresh }) }));
vi.mock('#components/live.tsx', () => ({
  useLive: (receive: typeof page.receive) => void (page.receive = receive),
  LiveChip: null,
}));
beforeEach(() => {
  Object.assign(hooks, { held: [], next: 0 });
  vi.useFakeTimers();
  page.refresh.mockClear();
});

const since = null;
it.each([
  ['days of a wallet', () => RedrawWhenRead({ since })],
  ['a payment', () => Follow({ id: 'a payment', since })],
  ['receipts', () => KeepCurrent({ since, words: {} as never })],
])(
  'a page that waits for %s is read again when the stream or the database is back',
  (_what, draw) => {
    draw();
    const redraws = (message: LiveMessage): number => {
      page.refresh.mockClear();
      page.receive(message);
      vi.runAllTimers();
      return page.refresh.mock.calls.length;
    };
    expect([
      redraws({ kind: 'database', up: false }),
      redraws({ kind: 'database', up: true }),
      redraws({ kind: 'resumed' }),
      redraws({ kind: 'movement', id: 'another thing' }),
    ]).toEqual([0, 1, 1, 0]);
  },
);
