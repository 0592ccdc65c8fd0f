import { useId } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from './button.tsx';

/**
 * A button that moves money. `closed` is the reason why it cannot be pressed now: it is shown below
 * the button and read out with it, and a press then calls `onClosed` instead. The button stays
 * focusable, so that a countdown does not take the focus away. `busy`: its own press is under way.
 * Put it into a row that wraps.
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
  return (
    <>
      <Button
        {...rest}
        aria-disabled={isClosed}
        aria-describedby={closed === null ? undefined : id}
        onClick={(event) => {
          if (!isClosed) return onClick?.();
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
