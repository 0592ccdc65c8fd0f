import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hooks, runEffects } from '#lib/testing/held-hooks.ts';
import { useSearch } from './use-search.ts';

/** What the dialog knows while a person types: whose results it shows, and what it says of failures. */

// The tests run without a page: the hook is called as a function.
vi.mock('react', async () => (await import('#lib/testing/held-hooks.ts')).heldHooks);

const WORDS = { none: 'Not found here.', tooMany: 'Asked too often. Try again in {seconds} s.' };
const UNREACHABLE = 'The server could not be reached.';
const asked = vi.fn<(text: string) => Response>();
beforeEach(() => {
  hooks.held = [];
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) =>
    asked((JSON.parse(body) as { text: string }).text),
  );
  asked.mockImplementation((text) => Response.json({ text, groups: [], words: WORDS }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Draws the dialog with this text in its field. */
function typed(text: string): ReturnType<typeof useSearch> {
  hooks.next = 0;
  const search = useSearch(text, UNREACHABLE);
  runEffects();
  return search;
}

/** The same after every timer and answer. */
async function answered(text: string): Promise<ReturnType<typeof useSearch>> {
  typed(text);
  await vi.runAllTimersAsync();
  return typed(text);
}

it('results are of the text as it is now, or are known to be of a former one', async () => {
  await answered('');
  expect((await answered('ABC')).isCurrent).toBe(true);
  const next = typed('ABC Ltd');
  expect([next.view?.text, next.isCurrent], 'the very moment it is typed').toEqual(['ABC', false]);
  expect(await answered('ABC Ltd')).toMatchObject({ view: { text: 'ABC Ltd' }, isCurrent: true });
  asked.mockReturnValue(new Response(null, { status: 503 }));
  expect((await answered('ABC Ltd Şti')).isCurrent, 'not answered').toBe(false);
});

it.each([
  ['the server is down', () => new Response(null, { status: 503 })],
  ['nothing answers', () => Promise.reject(new TypeError('failed to fetch')) as never],
])('the first request of the dialog says so when %s, and typing asks again', async (_what, no) => {
  asked.mockImplementation(no);
  expect(await answered('')).toMatchObject({ words: null, trouble: UNREACHABLE });
  asked.mockImplementation((text) => Response.json({ text, groups: [], words: WORDS }));
  expect(await answered('A')).toMatchObject({ words: WORDS, trouble: '', view: { text: 'A' } });
});

it('a person who has asked the provider too often reads when to try again', async () => {
  const { askProvider } = await answered('ABC');
  asked.mockReturnValue(Response.json({ error: 'too_many', seconds: 17 }, { status: 429 }));
  askProvider();
  await vi.runAllTimersAsync();
  expect(typed('ABC')).toMatchObject({
    trouble: 'Asked too often. Try again in 17 s.',
    view: { text: 'ABC' },
  });
});
