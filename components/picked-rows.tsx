'use client';

import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { PICK_FORM } from './pick-form.ts';
import { PICK_BOX } from './ui/classes.ts';
import { areKeysOn, isTyping } from './single-keys.ts';

/**
 * Returns the checkboxes of the rows. They hold the state themselves, so ticking renders nothing
 * again.
 */
const boxes = (): HTMLInputElement[] => [
  ...document.querySelectorAll<HTMLInputElement>(`input[form="${PICK_FORM}"][name="pick"]`),
];

/** The checkbox that ticks all rows of the page, or none. */
export function PickPage({ label }: { label: string }): ReactNode {
  return (
    <input
      type="checkbox"
      data-pick-page
      aria-label={label}
      onChange={(event) => tick(boxes(), event.target.checked)}
      className={PICK_BOX}
    />
  );
}

/**
 * Returns the ticked checkboxes in the order of the list. Shift-click ticks from the last clicked
 * box to this one; X ticks the row whose link has the focus. `drawn`: a value that changes when the
 * rows were redrawn, because a removed row is no longer ticked.
 */
export function usePickedRows(drawn: string): { picked: HTMLInputElement[]; none: () => void } {
  const [picked, setPicked] = useState<HTMLInputElement[]>([]);
  const last = useRef<HTMLInputElement | null>(null);
  useEffect(() => {
    const tell = (): void => {
      const now = countPicked();
      // Every field of the page reports its changes here; only those of the ticks draw anything.
      setPicked((before) => (isSame(before, now) ? before : now));
    };
    // The same boxes may stand for other amounts since the rows were redrawn.
    setPicked(countPicked());
    const upTo = (box: HTMLInputElement, range: boolean): void => {
      const all = boxes();
      const [from, to] = [all.indexOf(last.current ?? box), all.indexOf(box)];
      if (range && from >= 0)
        tick(all.slice(Math.min(from, to), Math.max(from, to) + 1), box.checked);
      last.current = box;
      tell();
    };
    const click = (event: MouseEvent): void => {
      const box = boxes().find((one) => one === event.target);
      if (box) upTo(box, event.shiftKey);
    };
    const press = (event: KeyboardEvent): void => {
      if (
        event.key.toLowerCase() !== 'x' ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isTyping(event.target) ||
        !areKeysOn()
      )
        return;
      const box = document.activeElement
        ?.closest('tr')
        ?.querySelector<HTMLInputElement>(`input[form="${PICK_FORM}"]`);
      if (!box) return;
      box.checked = event.shiftKey || !box.checked;
      upTo(box, event.shiftKey);
    };
    document.addEventListener('click', click);
    document.addEventListener('change', tell);
    document.addEventListener('keydown', press);
    return () => {
      document.removeEventListener('click', click);
      document.removeEventListener('change', tell);
      document.removeEventListener('keydown', press);
    };
  }, [drawn]);
  const none = (): void => {
    tick(boxes(), false);
    setPicked(countPicked());
  };
  return { picked, none };
}

/** Sets the page's checkbox by those of its rows, and returns the ticked ones. */
function countPicked(): HTMLInputElement[] {
  const all = boxes();
  const picked = all.filter((box) => box.checked);
  const page = document.querySelector<HTMLInputElement>('[data-pick-page]');
  if (page)
    [page.checked, page.indeterminate] = [
      picked.length > 0 && picked.length === all.length,
      picked.length > 0 && picked.length < all.length,
    ];
  return picked;
}

function isSame(some: readonly Element[], others: readonly Element[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}

function tick(some: readonly HTMLInputElement[], checked: boolean): void {
  for (const box of some) box.checked = checked;
}
