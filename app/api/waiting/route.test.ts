import { beforeEach, expect, test, vi } from 'vitest';

/** Whether the menu's counts keep a session alive that nobody uses. */

const asked = vi.fn<(options?: { touch: boolean }) => Promise<object | null>>();

vi.mock('#app/waiting.ts', () => ({ countWaiting: async () => ({ approvals: 2 }) }));
vi.mock('#lib/login/session.ts', () => ({ currentPerson: asked }));
const { GET } = await import('./route.ts');

const ADDRESS = 'http://localhost/api/waiting';
beforeEach(() => void asked.mockReset());

test('counts that a page reads by itself do not count as activity of the session', async () => {
  asked.mockResolvedValue({ personId: 'somebody' });
  expect(await (await GET(new Request(ADDRESS))).json()).toEqual({ approvals: 2 });
  expect(asked).toHaveBeenCalledExactlyOnceWith({ touch: false });
});

test('a press that only redraws a page counts as activity of the session', async () => {
  asked.mockResolvedValue({ personId: 'somebody' });
  await GET(new Request(`${ADDRESS}?pressed`));
  expect(asked).toHaveBeenCalledExactlyOnceWith({ touch: true });
});
