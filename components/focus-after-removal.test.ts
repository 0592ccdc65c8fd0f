import { beforeEach, expect, it, vi } from 'vitest';
import { hooks, runEffects } from '#lib/testing/held-hooks.ts';
import { useFocusAfterRemoval } from './focus-after-removal.ts';

/** Where the focus goes when the row that had it is removed. */

// The tests run without a page: the hook is called as a function.
vi.mock('react', async () => (await import('#lib/testing/held-hooks.ts')).heldHooks);

const body = { matches: () => false };
const page = { body, activeElement: body as { matches: (selector: string) => boolean } | null };
const add = { focus: vi.fn<() => void>() };
const remove = { focus: vi.fn<() => void>() };

function draw(count: number): void {
  hooks.next = 0;
  const box = useFocusAfterRemoval(count);
  Object.assign(box, { current: { querySelectorAll: () => [remove, add] } });
  runEffects();
}

beforeEach(() => {
  hooks.held = [];
  vi.stubGlobal('document', page);
  page.activeElement = body;
  vi.clearAllMocks();
});

it('the button that adds a row gets the focus that a removed row had', () => {
  draw(2);
  draw(1);
  expect(add.focus).toHaveBeenCalledOnce();
  draw(0);
  expect(add.focus, 'after the last row, too').toHaveBeenCalledTimes(2);
  expect(remove.focus).not.toHaveBeenCalled();
});

it('a button that the removal disabled counts as gone', () => {
  page.activeElement = { matches: (selector) => selector === ':disabled' };
  draw(2);
  draw(1);
  expect(add.focus).toHaveBeenCalledOnce();
});

it('the focus stays where it still is, and when a row is added', () => {
  page.activeElement = { matches: () => false };
  draw(2);
  draw(1);
  page.activeElement = body;
  draw(2);
  expect(add.focus).not.toHaveBeenCalled();
});
