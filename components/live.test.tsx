import { beforeEach, expect, it, vi } from 'vitest';
import type { LiveMessage } from '#components/live-stream.ts';
import type { LiveKind } from '#lib/live/kinds.ts';
import { hooks, runEffects } from '#lib/testing/held-hooks.ts';
import { LiveChangesSince } from './live.tsx';
import type { LiveWords } from './live.tsx';

/** Which changes a list shows. */

const page = vi.hoisted(() => ({
  receive: (_message: LiveMessage): void => undefined,
  refresh: vi.fn<() => void>(),
}));
// The tests run without a page: the component is called as a function.
vi.mock('react', async () => ({
  ...(await import('#lib/testing/held-hooks.ts')).heldHooks,
  useSyncExternalStore: (_watch: unknown, read: () => unknown) => read(),
  useTransition: () => [false, (work: () => void) => work()],
}));
vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: page.refresh }) }));
// Nothing is drawn, and the icons need the complete React.
vi.mock('lucide-react', () => ({ Pause: null, RefreshCw: null, Unplug: null }));
vi.mock('#components/live-stream.ts', () => ({
  listenLive: (receive: typeof page.receive) => void (page.receive = receive),
  liveStatus: () => 'on',
  watchStatus: null,
}));
beforeEach(() => {
  hooks.held = [];
  vi.useFakeTimers();
  page.refresh.mockClear();
});

function draw(kinds: readonly LiveKind[]): void {
  hooks.next = 0;
  LiveChangesSince({ kinds, since: null, words: {} as LiveWords });
  runEffects();
}

it.each([
  [['movement', 'sending'], 1],
  [['movement'], 0],
] as const)('a list of %s is redrawn %i times for a change of sending', (kinds, times) => {
  draw(kinds);
  page.receive({ kind: 'sending', id: 'all', own: true });
  draw(kinds);
  expect(page.refresh).toHaveBeenCalledTimes(times);
});
