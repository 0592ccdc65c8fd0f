import type { KeyboardEvent } from 'react';

/**
 * The `onKeyDown` of a field whose form lets money leave: Enter in the field does not press the
 * form's button.
 */
export function noEnter(event: Pick<KeyboardEvent, 'key' | 'preventDefault'>): void {
  if (event.key === 'Enter') event.preventDefault();
}
