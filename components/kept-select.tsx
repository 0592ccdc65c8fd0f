'use client';

import type { ChangeEvent, ComponentProps, ReactNode } from 'react';
import { Select } from '#components/ui/field.tsx';

/**
 * A select in a form with a server action: React's reset after the response restores the latest
 * choice, not the initial one.
 */
export function KeptSelect(
  props: Omit<ComponentProps<typeof Select>, 'value' | 'onChange'>,
): ReactNode {
  return <Select {...props} onChange={keepChoice} />;
}

function keepChoice({ currentTarget }: ChangeEvent<HTMLSelectElement>): void {
  for (const option of currentTarget.options) option.defaultSelected = option.selected;
}
