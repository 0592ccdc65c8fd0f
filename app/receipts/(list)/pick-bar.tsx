'use client';

import Form from 'next/form';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { areKeysOn, isTyping } from '#components/single-keys.ts';
import { Button, LinkButton } from '#components/ui/button.tsx';
import { PICK_FORM } from './pick-form.ts';

/** Their state is the boxes' own: nothing is drawn again for a tick. */
const boxes = (): HTMLInputElement[] => [...document.querySelectorAll<HTMLInputElement>(`input[form="${PICK_FORM}"][name="pick"]`)];

/** All rows of the page, or none of them. */
export function PickPage({ label }: { label: string }): ReactNode {
  return <input type="checkbox" data-pick-page aria-label={label} onChange={(event) => tick(boxes(), event.target.checked)} className="size-4 shrink-0 accent-accent pointer-coarse:size-5" />;
}

/**
 * What is picked in the list, and what can be done with it. A click with Shift picks from the last box to this one; X picks the row
 * whose link has the focus. `fields` is the list's filter, `takeAll` the address for all of it.
 */
export function PickBar({ action, fields, takeAll, words }: { action: string; fields: Record<string, string | null>; takeAll: string; words: Record<'label' | 'counted' | 'take' | 'all' | 'none', string> }): ReactNode {
  const [count, setCount] = useState(0);
  const last = useRef<HTMLInputElement | null>(null);
  useEffect(() => {
    const tell = (): void => setCount(countPicked());
    const upTo = (box: HTMLInputElement, range: boolean): void => {
      const all = boxes();
      const [from, to] = [all.indexOf(last.current ?? box), all.indexOf(box)];
      if (range && from >= 0) tick(all.slice(Math.min(from, to), Math.max(from, to) + 1), box.checked);
      last.current = box;
      tell();
    };
    const click = (event: MouseEvent): void => {
      const box = boxes().find((one) => one === event.target);
      if (box) upTo(box, event.shiftKey);
    };
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'x' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !areKeysOn()) return;
      const box = document.activeElement?.closest('tr')?.querySelector<HTMLInputElement>(`input[form="${PICK_FORM}"]`);
      if (!box) return;
      box.checked = event.shiftKey || !box.checked;
      upTo(box, event.shiftKey);
    };
    tell();
    document.addEventListener('click', click);
    document.addEventListener('change', tell);
    document.addEventListener('keydown', press);
    return () => {
      document.removeEventListener('click', click);
      document.removeEventListener('change', tell);
      document.removeEventListener('keydown', press);
    };
  }, []);
  const none = (): void => {
    tick(boxes(), false);
    setCount(countPicked());
  };
  return (
    <Form id={PICK_FORM} action={action} aria-label={words.label} className={`no-print sticky bottom-16 z-20 flex flex-wrap items-center gap-3 rounded-panel border border-control bg-surface px-4 py-2.5 shadow-float lg:bottom-4 ${count === 0 ? 'hidden' : ''}`}>
      {Object.entries(fields).map(([name, value]) => value !== null && value !== '' && <input key={name} type="hidden" name={name} value={value} />)}
      <span role="status" className="font-medium tabular-nums">{count === 0 ? '' : words.counted.replace('{count}', String(count))}</span>
      <Button type="submit" look="primary">{words.take}</Button>
      <LinkButton href={takeAll} look="ghost">{words.all}</LinkButton>
      <Button look="ghost" onClick={none}>{words.none}</Button>
    </Form>
  );
}

/** The box for the whole page says what those of its rows say. */
function countPicked(): number {
  const all = boxes();
  const count = all.filter((box) => box.checked).length;
  const page = document.querySelector<HTMLInputElement>('[data-pick-page]');
  if (page) [page.checked, page.indeterminate] = [count > 0 && count === all.length, count > 0 && count < all.length];
  return count;
}

function tick(some: readonly HTMLInputElement[], checked: boolean): void {
  for (const box of some) box.checked = checked;
}
