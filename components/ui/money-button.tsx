import { useId, useRef } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from './button.tsx';

/**
 * The row around a `MoneyButton`. It is high enough for the reason, so that nothing moves when the
 * reason appears.
 */
export const MONEY_ROW =
  'flex min-h-15 flex-wrap content-start gap-x-3 gap-y-2 pointer-coarse:min-h-17';

/**
 * A button that moves money. `closed` is the reason why it cannot be pressed now: it is shown below
 * the button and read out with it, and a press then calls `onClosed` instead. The button stays
 * focusable, so that a countdown does not take the focus away. A press that began on the open button
 * counts, also when a look-up closes it before the release: the server judges again. `busy`: this
 * button's own press is under way. Put the button into a `MONEY_ROW`.
 */
export function MoneyButton({
  closed,
  busy = false,
  onClick,
  onClosed,
  ...rest
}: Omit<ComponentProps<typeof Button>, 'disabled' | 'onClick'> & {
  closed: string | null;
  busy?: boolean;
  onClick?: () => void;
  onClosed?: () => void;
}): ReactNode {
  const id = useId();
  const isClosed = closed !== null || busy;
  const hasBegunOpen = useRef(false);
  return (
    <>
      <Button
        {...rest}
        aria-disabled={isClosed}
        aria-describedby={closed === null ? undefined : id}
        onPointerDown={() => (hasBegunOpen.current = !isClosed)}
        onKeyDown={() => (hasBegunOpen.current = false)}
        onClick={(event) => {
          const isGiven = !isClosed || (hasBegunOpen.current && !busy);
          hasBegunOpen.current = false;
          if (isGiven) return onClick?.();
          event.preventDefault();
          onClosed?.();
        }}
      />
      <p
        id={id}
        className="order-last min-h-4 basis-full text-label text-attention tabular-nums empty:hidden"
      >
        {closed}
      </p>
    </>
  );
}
