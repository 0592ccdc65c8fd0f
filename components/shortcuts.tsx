'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { onKeys } from '#components/early-keys.ts';
import { KeyList } from '#components/key-list.tsx';
import type { KeyWords } from '#components/key-list.tsx';
import { Dialog } from '#components/ui/dialog.tsx';

const GOTO: Record<string, string> = { p: '/payouts', w: '/wallets', h: '/', r: '/receipts' };
const SEQUENCE_MS = 1_000;

/**
 * Single keys for viewing and navigation; none of them sends, approves or captures. They are off
 * while a person types, while a dialog or a menu is open, and for a person who switched them off. A
 * page adds its own keys by `data-shortcut="new|filter|ask|export"`.
 */
export function Shortcuts({ on, words }: { on: boolean; words: KeyWords }): ReactNode {
  const router = useRouter();
  const [help, setHelp] = useState(false);
  const goingSince = useRef(-SEQUENCE_MS);
  useEffect(() => {
    if (!on) return;
    const press = (event: KeyboardEvent): void => {
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.repeat ||
        event.isComposing ||
        event.defaultPrevented ||
        isBusy(event.target)
      )
        return;
      const key = event.key.toLowerCase();
      const going = performance.now() - goingSince.current < SEQUENCE_MS;
      goingSince.current = key === 'g' ? performance.now() : -SEQUENCE_MS;
      if (going && GOTO[key]) router.push(GOTO[key]);
      else if (key === '?') setHelp(true);
      else if (key === 'n') pressIt('new', event);
      else if (key === 'r') pressIt('ask', event);
      else if (key === 'e') pressIt('export', event);
      else if (key === '/') filterOrSearch(event);
      else if (key === 'j' || key === 'k') moveRow(key === 'j' ? 1 : -1, event);
    };
    return onKeys('page', press);
  }, [on, router]);
  return (
    <Dialog open={help} onClose={() => setHelp(false)} title={words.title} closeLabel={words.close}>
      <KeyList words={words} />
      <p className="text-label text-muted">
        <a href="/settings" className="text-accent underline underline-offset-2">
          {words.settings}
        </a>{' '}
        · {words.off}
      </p>
    </Dialog>
  );
}

function isBusy(target: EventTarget | null): boolean {
  const typing =
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select'));
  return typing || document.querySelector('dialog[open], :popover-open') !== null;
}

function pressIt(name: 'new' | 'ask' | 'export' | 'search', event: Event): void {
  const element = document.querySelector<HTMLElement>(`[data-shortcut="${name}"]`);
  if (!element) return;
  event.preventDefault();
  element.click();
}

/** Focuses the page's filter; on a page without a filter, opens the search. */
function filterOrSearch(event: Event): void {
  const filter = document.querySelector<HTMLElement>('[data-shortcut="filter"]');
  if (!filter) return pressIt('search', event);
  event.preventDefault();
  filter.focus();
}

/** Moves the focus to the link of another row: the link in a row's first cell opens the row. */
function moveRow(step: number, event: Event): void {
  const links = [
    ...document.querySelectorAll<HTMLElement>('tbody tr td:first-child a, [data-row-link]'),
  ];
  if (links.length === 0) return;
  event.preventDefault();
  const at = links.indexOf(document.activeElement as HTMLElement);
  links[Math.max(0, Math.min(links.length - 1, at + step))]?.focus();
}
