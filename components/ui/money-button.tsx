import { useId } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from './button.tsx';

/**
 * A button that moves money. It is closed only with a reason, which stands below it and is read
 * with it; a press while it is closed goes to `onClosed`. It stays focusable: a countdown must not
 * take the focus away. `busy`: its own press is under way, and its text says so. Its parent is a
 * wrapping row.
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
