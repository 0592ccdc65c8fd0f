'use client';

import { __iconData as search } from 'lucide-react/icons/search';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import { onKeys } from '#components/early-keys.ts';
import { drawn } from '#components/ui/icon.tsx';
import { isPlain } from '#components/ui/link.tsx';
import type { DialogWords } from './search-dialog.tsx';

const SearchIcon = drawn(search);

const SearchDialog = lazy(() =>
  import('./search-dialog.tsx').then((module) => ({ default: module.SearchDialog })),
);

const BOX =
  'flex h-8 min-w-0 items-center gap-2 rounded-control border border-hairline bg-raised text-label ' +
  'text-muted hover:border-control hover:text-ink max-sm:w-[min(2.25rem,12vw)] max-sm:justify-center ' +
  'max-sm:border-transparent max-sm:bg-transparent sm:w-56 sm:px-2.5 pointer-coarse:h-11 ' +
  'pointer-coarse:max-sm:w-[min(2.75rem,12vw)]';

const KEYS =
  'rounded-control border border-hairline px-1.5 text-[11px] font-medium max-sm:hidden ' +
  'pointer-coarse:hidden';

/**
 * Entry to the search: a link to its page; with scripts it opens the dialog over the present page.
 * The key chord works everywhere and cannot be switched off, unlike single keys.
 */
export function SearchBox({
  words,
  owner,
}: {
  words: DialogWords & { open: string };
  owner: string;
}): ReactNode {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  const show = (): void => {
    setWanted(true);
    setOpen(true);
  };
  useEffect(
    () =>
      onKeys('search', (event) => {
        event.preventDefault();
        if (document.querySelector('dialog[open]') === null) show();
      }),
    [],
  );
  const press = (event: MouseEvent<HTMLAnchorElement>): void => {
    if (!isPlain(event)) return;
    event.preventDefault();
    show();
  };
  return (
    <>
      <a
        href="/search"
        data-shortcut="search"
        onClick={press}
        aria-keyshortcuts="Control+K Meta+K"
        className={BOX}
      >
        <SearchIcon className="size-4 shrink-0" />
        <span className="flex-1 truncate max-sm:sr-only">{words.open}</span>
        <kbd aria-hidden className={KEYS}>
          Ctrl K
        </kbd>
      </a>
      {wanted && (
        <Suspense>
          <SearchDialog open={open} onClose={() => setOpen(false)} words={words} owner={owner} />
        </Suspense>
      )}
    </>
  );
}
