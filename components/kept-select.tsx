'use client';

import type { ChangeEvent, ComponentProps, ReactNode } from 'react';
import { Select } from '#components/ui/field.tsx';

/**
 * A list in a form that an action answers: the reset after the answer goes back to what was chosen
 * last, not to the beginning.
 */
export function KeptSelect(
  props: Omit<ComponentProps<typeof Select>, 'value' | 'onChange'>,
): ReactNode {
  return <Select {...props} onChange={keepChoice} />;
}

function keepChoice({ currentTarget }: ChangeEvent<HTMLSelectElement>): void {
  for (const option of currentTarget.options) option.defaultSelected = option.selected;
}
