import type * as React from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { Button } from './button.tsx';
import { MoneyButton } from './money-button.tsx';

const begun = vi.hoisted(() => ({ current: false }));

// The tests run without a page: the component is called as a function.
vi.mock('react', async (original) => ({
  ...(await original<typeof React>()),
  useId: () => 'id',
  useRef: () => begun,
}));
// The links of Next.js need the complete React.
vi.mock('#components/ui/link.tsx', () => ({ Link: 'a' }));

const onClick = vi.fn<() => void>();
const onClosed = vi.fn<() => void>();
beforeEach(() => {
  begun.current = false;
  vi.clearAllMocks();
});

/** What happens to the button, in this order: a press begins or ends while it is open or closed. */
function press(...steps: [what: 'begin' | 'key' | 'click', closed: string | null, busy?: true][]) {
  for (const [what, closed, busy = false] of steps) {
    const drawn = MoneyButton({ closed, busy, onClick, onClosed }) as React.ReactElement<{
      children: React.ReactElement<React.ComponentProps<typeof Button>>[];
    }>;
    const { props } = drawn.props.children.find(({ type }) => type === Button)!;
    if (what === 'begin') props.onPointerDown!({} as React.PointerEvent<HTMLButtonElement>);
    if (what === 'key') props.onKeyDown!({} as React.KeyboardEvent<HTMLButtonElement>);
    if (what === 'click')
      props.onClick!({ preventDefault() {} } as React.MouseEvent<HTMLButtonElement>);
  }
  return { given: onClick.mock.calls.length, refused: onClosed.mock.calls.length };
}

it('a press that began on the open button counts when a look-up closes it before the release', () => {
  expect(press(['begin', null], ['click', 'wait 5 s'])).toEqual({ given: 1, refused: 0 });
});

it('a press that began on the closed button, and a key, get the reason', () => {
  expect(press(['begin', 'wait 5 s'], ['click', 'wait 4 s'])).toEqual({ given: 0, refused: 1 });
  expect(press(['begin', null], ['key', 'wait 5 s'], ['click', 'wait 5 s'])).toEqual({
    given: 0,
    refused: 2,
  });
});

it('one press counts once, and none while the first is under way', () => {
  expect(press(['begin', null], ['click', null], ['click', 'wait 5 s'])).toEqual({
    given: 1,
    refused: 1,
  });
  expect(press(['begin', null], ['click', null, true])).toEqual({ given: 1, refused: 2 });
});
