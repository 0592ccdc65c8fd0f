'use client';

import { useSyncExternalStore } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from './button.tsx';

/**
 * A button that needs the page's scripts. It is disabled until they have loaded, so that no press
 * is lost and the browser does not submit the form by itself, with the typed values in the address.
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
