import type * as React from 'react';
import { expect, it, vi } from 'vitest';
import { Link } from './link.tsx';
import type { ListPlace } from './list-place.ts';

/** A link inside a list that fetches its own rows. */

const place = {
  has: () => true,
  ahead: () => undefined,
  go: vi.fn<ListPlace['go']>(),
} satisfies ListPlace;

// The tests run without a page: the link is called as a function, inside a list.
vi.mock('react', async (original) => ({
  ...(await original<typeof React>()),
  createContext: () => null,
  use: () => place,
}));
vi.mock('next/link', () => ({ default: 'a', useLinkStatus: () => ({ pending: false }) }));

class Press {
  button = 0;
  defaultPrevented = false;
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}
type Element<P> = React.ReactElement<P, (props: P) => React.ReactNode>;

/** Presses a link with this handler; true when the browser itself would follow the link. */
function press(onClick: (event: { preventDefault(): void }) => void): boolean {
  const link = Link({ href: '/payouts?q=a', onClick }) as Element<object>;
  const anchor = link.type(link.props) as Element<{ onClick: (event: Press) => void }>;
  const event = new Press();
  anchor.props.onClick(event);
  return !event.defaultPrevented;
}

it('a press with a handler of its own stays in the page all the same', () => {
  const pressed = vi.fn<() => void>();
  expect(press(pressed), 'followed by the browser').toBe(false);
  expect(pressed).toHaveBeenCalledOnce();
  expect(place.go).toHaveBeenCalledExactlyOnceWith('/payouts?q=a', { scroll: true });
});

it('a handler can keep the list where it is', () => {
  place.go.mockClear();
  press((event) => event.preventDefault());
  expect(place.go).not.toHaveBeenCalled();
});
