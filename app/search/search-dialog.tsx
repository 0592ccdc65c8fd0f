'use client';

import { __iconData as search } from 'lucide-react/icons/search';
import { useRouter } from 'next/navigation';
import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { drawn } from '#components/ui/icon.tsx';
import { isCard } from '#lib/readings/understand.ts';
import { keepRecent, readRecent } from './recent.ts';
import { linesOf } from './search-lines.ts';
import type { Line } from './search-lines.ts';
import { listId, optionId, SearchResults } from './search-results.tsx';
import type { SearchWords } from './search-words.ts';
import { useSearch } from './use-search.ts';
import type { Search } from './use-search.ts';

const SearchIcon = drawn(search);

const DIALOG =
  'mt-[8dvh] h-[min(34rem,84dvh)] w-[min(44rem,calc(100vw-1.5rem))] overflow-hidden ' +
  'rounded-panel border border-hairline bg-surface p-0 text-ink shadow-float ' +
  'backdrop:bg-black/40';

/** The texts that the page brings; the others come with the first response. */
export type DialogWords = { label: string; unreachable: string };

/**
 * The search over the page: a combobox and its list. Its size is fixed, so that results do not move
 * it. Esc first empties the box, then closes the dialog.
 */
export function SearchDialog({
  open,
  onClose,
  words,
  owner,
}: {
  open: boolean;
  onClose: () => void;
  words: DialogWords;
  owner: string;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open) dialog.current?.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      aria-label={words.label}
      onClose={onClose}
      closedby="any"
      className={DIALOG}
    >
      {open && <SearchPane given={words} owner={owner} close={() => dialog.current?.close()} />}
    </dialog>
  );
}

const CLOSE_BUTTON =
  'rounded-control border border-hairline px-1.5 py-0.5 text-label text-muted ' +
  'hover:text-ink pointer-coarse:min-h-11 pointer-coarse:px-3';

function SearchPane({
  given: { label, unreachable },
  owner,
  close,
}: {
  given: DialogWords;
  owner: string;
  close: () => void;
}): ReactNode {
  const router = useRouter();
  const id = useId();
  const [text, setText] = useState('');
  const [recent] = useState(() => readRecent(owner));
  const search = useSearch(text, unreachable);
  const { words, busy, isCurrent } = search;
  const go = (href: string): void => {
    if (text.trim() !== '' && !isCard(text)) keepRecent(owner, text.trim());
    close();
    router.push(href);
  };
  const groups = linesOf({ search, recent: text === '' ? recent : [], go, setText });
  const lines = groups.flatMap((group) => group.lines);
  const { current, move, toFirst } = useCurrentLine(lines, id);
  const enter = (): void => {
    if (isCard(text)) return;
    // Enter before the response has arrived means the typed text, not a row of the previous text.
    if (!isCurrent || !current) {
      if (text.trim() !== '') go(`/search?q=${encodeURIComponent(text.trim())}`);
    } else current.press();
  };
  return (
    <div className="grid h-full grid-rows-[auto_auto_minmax(0,1fr)_auto]">
      <div className="flex items-center gap-2.5 border-b border-hairline px-4">
        <SearchIcon className={`size-4 shrink-0 text-muted ${busy ? 'animate-pulse' : ''}`} />
        <SearchInput
          id={id}
          label={label}
          search={search}
          hasLines={lines.length > 0}
          current={current}
          text={text}
          onType={(typed) => {
            setText(typed);
            toFirst();
          }}
          onMove={move}
          onEnter={enter}
          onEmpty={() => setText('')}
        />
        <button type="button" onClick={close} className={CLOSE_BUTTON}>
          <span className="pointer-coarse:hidden">Esc </span>
          <span className="sr-only pointer-coarse:not-sr-only">{words?.close}</span>
        </button>
      </div>
      <Understood search={search} text={text} />
      <SearchResults
        id={id}
        label={label}
        search={search}
        text={text}
        groups={groups}
        current={current}
      />
      <KeyHints words={words} />
    </div>
  );
}

/** The first line, until the arrow keys choose another one. */
function useCurrentLine(
  lines: readonly Line[],
  id: string,
): { current: Line | undefined; move: (step: number) => void; toFirst: () => void } {
  const [chosen, setChosen] = useState<string | null>(null);
  const at = Math.max(
    0,
    lines.findIndex((line) => line.id === chosen),
  );
  const current = lines[at];
  useEffect(() => {
    if (current)
      document.getElementById(optionId(id, current))?.scrollIntoView({ block: 'nearest' });
  });
  return {
    current,
    move: (step) => setChosen(lines[(at + step + lines.length) % lines.length]!.id),
    toFirst: () => setChosen(null),
  };
}

/** The combobox: its keys move through the results while the focus stays in it. */
function SearchInput({
  id,
  label,
  search: { words, busy },
  hasLines,
  current,
  text,
  onType,
  onMove,
  onEnter,
  onEmpty,
}: {
  id: string;
  label: string;
  search: Search;
  hasLines: boolean;
  current: Line | undefined;
  text: string;
  onType: (typed: string) => void;
  onMove: (step: number) => void;
  onEnter: () => void;
  onEmpty: () => void;
}): ReactNode {
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && hasLines) {
      event.preventDefault();
      onMove(step);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      onEnter();
    } else if (event.key === 'Escape' && text !== '') {
      event.preventDefault();
      onEmpty();
    }
  };
  return (
    <input
      autoFocus
      role="combobox"
      aria-label={label}
      aria-expanded={hasLines}
      aria-controls={listId(id)}
      aria-autocomplete="list"
      aria-activedescendant={current && optionId(id, current)}
      aria-busy={busy}
      value={text}
      onChange={(event) => onType(event.target.value)}
      onKeyDown={press}
      placeholder={words?.placeholder}
      maxLength={400}
      autoComplete="off"
      autoCorrect="off"
      autoCapitalize="off"
      spellCheck={false}
      enterKeyHint="search"
      className="h-12 min-w-0 flex-1 bg-transparent text-[1rem] outline-none placeholder:text-subtle"
    />
  );
}

/** How the text was understood, or why there are no results. */
function Understood({
  search: { view, words, trouble },
  text,
}: {
  search: Search;
  text: string;
}): ReactNode {
  const message = trouble || view?.message || '';
  return (
    <div role="status" className="min-h-9 px-4 pt-2.5 text-label text-muted">
      {message !== '' && (
        <p className="line-clamp-2">
          {message}
          {view?.note ? ` · ${view.note}` : ''}
        </p>
      )}
      {message === '' && words !== null && text === '' && <p>{words.empty.text}</p>}
    </div>
  );
}

function KeyHints({ words }: { words: SearchWords | null }): ReactNode {
  return (
    <p
      aria-hidden
      className="flex gap-4 border-t border-hairline px-4 py-2 text-label text-muted max-sm:hidden"
    >
      <span>
        <kbd>↑ ↓</kbd> {words?.move}
      </span>
      <span>
        <kbd>Enter</kbd> {words?.open}
      </span>
      <span>
        <kbd>Esc</kbd> {words?.close}
      </span>
    </p>
  );
}
