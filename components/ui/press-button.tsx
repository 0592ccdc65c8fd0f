'use client';

import { useSyncExternalStore } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from './button.tsx';

/**
 * A button that only the page's scripts can carry out: closed until they listen, so that no press is
 * lost, and no browser submits a form by itself, with what was typed in the address.
 */
export function PressButton({ disabled, ...rest }: ComponentProps<typeof Button>): ReactNode {
  const listens = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  return <Button {...rest} disabled={disabled === true || !listens} />;
}

const neverChanges = (): (() => void) => () => undefined;
