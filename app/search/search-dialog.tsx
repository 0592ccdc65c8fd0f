'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { isPlain } from '#components/ui/link.tsx';
import { isCard } from '#lib/search/understand.ts';
import { HitLine } from './hit-line.tsx';
import { keepRecent, readRecent } from './recent.ts';
import type { ShownGroup, ShownHit } from './shown-hits.ts';
import type { SearchWords } from './search-words.ts';
import { useSearch } from './use-search.ts';

type Line = { id: string; hit: ShownHit; press(): void };

const DIALOG =
  'mt-[8dvh] h-[min(34rem,84dvh)] w-[min(44rem,calc(100vw-1.5rem))] overflow-hidden ' +
  'rounded-panel border border-hairline bg-surface p-0 text-ink shadow-float ' +
  'backdrop:bg-black/40';

/**
 * The search over the page: a combobox and its list. Its size is fixed, so that results do not move
 * it. Esc first empties the box, then closes the dialog.
 */
export function SearchDialog({
  open,
  onClose,
  label,
  owner,
}: {
  open: boolean;
  onClose: () => void;
  label: string;
  owner: string;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open) dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} aria-label={label} onClose={onClose} closedby="any" className={DIALOG}>
      {open && <SearchPane label={label} owner={owner} close={() => dialog.current?.close()} />}
    </dialog>
  );
}

const CLOSE_BUTTON =
  'rounded-control border border-hairline px-1.5 py-0.5 text-label text-muted ' +
  'hover:text-ink pointer-coarse:min-h-11 pointer-coarse:px-3';

function SearchPane({
  label,
  owner,
  close,
}: {
  label: string;
  owner: string;
  close: () => void;
}): ReactNode {
  const router = useRouter();
  const id = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState<string | null>(null);
  const [recent] = useState(() => readRecent(owner));
  const { view, words, provider, busy, trouble, askProvider } = useSearch(text);
  const go = (href: string): void => {
    if (text.trim() !== '' && !isCard(text)) keepRecent(owner, text.trim());
    close();
    router.push(href);
  };
  const groups = linesOf({
    groups: [...(view?.groups ?? []), ...(provider?.groups ?? [])],
    words,
    recent: text === '' ? recent : [],
    askable: view?.canAsk === true && provider === null,
    go,
    setText,
    askProvider,
  });
  const lines = groups.flatMap((group) => group.lines);
  const at = Math.max(
    0,
    lines.findIndex((line) => line.id === active),
  );
  const current = lines[at];
  const domId = (line: Line): string => `${id}-${line.id}`;
  useEffect(() => {
    if (current) document.getElementById(domId(current))?.scrollIntoView({ block: 'nearest' });
  });

  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && lines.length > 0) {
      event.preventDefault();
      setActive(lines[(at + step + lines.length) % lines.length]!.id);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (isCard(text)) return;
      // Enter before the response has arrived means the typed text, not a row of the previous text.
      if (busy || !current) {
        if (text.trim() !== '') go(`/search?q=${encodeURIComponent(text.trim())}`);
      } else current.press();
    } else if (event.key === 'Escape' && text !== '') {
      event.preventDefault();
      setText('');
    }
  };
  const message = trouble || view?.said || '';
  return (
    <div className="grid h-full grid-rows-[auto_auto_minmax(0,1fr)_auto]">
      <div className="flex items-center gap-2.5 border-b border-hairline px-4">
        <svg
          aria-hidden
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          strokeWidth={2}
          strokeLinecap="round"
          className={`size-4 shrink-0 text-muted ${busy ? 'animate-pulse' : ''}`}
        >
          <circle cx="11" cy="11" r="7" />
          <path d="m20 20-4-4" />
        </svg>
        <input
          autoFocus
          role="combobox"
          aria-label={label}
          aria-expanded={lines.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={current && domId(current)}
          aria-busy={busy}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(null);
          }}
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
        <button type="button" onClick={close} className={CLOSE_BUTTON}>
          <span className="pointer-coarse:hidden">Esc </span>
          <span className="sr-only pointer-coarse:not-sr-only">{words?.close}</span>
        </button>
      </div>
      <div role="status" className="min-h-9 px-4 pt-2.5 text-label text-muted">
        {message !== '' && (
          <p className="line-clamp-2">
            {message}
            {view?.note ? ` · ${view.note}` : ''}
          </p>
        )}
        {message === '' && words !== null && text === '' && <p>{words.empty.text}</p>}
      </div>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        className="overflow-y-auto overscroll-contain px-2 pb-2"
      >
        {words !== null && text === '' && <Samples words={words} />}
        {words !== null &&
          view !== null &&
          message !== '' &&
          view.count === 0 &&
          trouble === '' &&
          !busy &&
          view.text !== '' && <p className="px-2 py-3 text-muted">{words.none}</p>}
        {groups.map((group) => (
          <div key={group.title} role="group" aria-label={group.title}>
            <p aria-hidden className="px-2 pt-3 pb-1 text-label font-medium text-muted">
              {group.title}
            </p>
            {group.lines.map((line) => (
              <Option key={line.id} id={domId(line)} line={line} selected={line === current} />
            ))}
          </div>
        ))}
        {provider !== null && (
          <p role="status" className="px-2 pt-2 text-label text-muted">
            {provider.said}
          </p>
        )}
      </div>
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
    </div>
  );
}

const OPTION =
  'flex min-h-9 w-full items-center gap-3 rounded-control px-2 py-1 text-left text-body ' +
  'pointer-coarse:min-h-11';

function Option({ id, line, selected }: { id: string; line: Line; selected: boolean }): ReactNode {
  const look = `${OPTION} ${selected ? 'bg-draft-ground' : 'hover:bg-raised'}`;
  const press = (event: MouseEvent<HTMLElement>): void => {
    if (
      event.currentTarget instanceof HTMLAnchorElement &&
      !isPlain(event as MouseEvent<HTMLAnchorElement>)
    )
      return;
    event.preventDefault();
    line.press();
  };
  // The focus stays in the field; aria-activedescendant tells the selected option.
  const common = {
    id,
    role: 'option' as const,
    'aria-selected': selected,
    tabIndex: -1,
    onClick: press,
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    className: look,
  };
  return line.hit.href === null ? (
    <div {...common}>
      <HitLine hit={line.hit} />
    </div>
  ) : (
    <a {...common} href={line.hit.href}>
      <HitLine hit={line.hit} />
    </a>
  );
}

function Samples({ words }: { words: SearchWords }): ReactNode {
  return (
    <div className="px-2 pt-2">
      <p className="pb-1.5 text-label font-medium text-muted">{words.empty.title}</p>
      <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
        {words.empty.samples.map(({ what, sample }) => (
          <div key={what} className="flex flex-wrap justify-between gap-x-3">
            <dt>{what}</dt>
            <dd className="font-mono text-mono text-muted">{sample}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

type Given = {
  groups: ShownGroup[];
  words: SearchWords | null;
  recent: string[];
  askable: boolean;
  go(href: string): void;
  setText(text: string): void;
  askProvider(): void;
};

function linesOf({
  groups,
  words,
  recent,
  askable,
  go,
  setText,
  askProvider,
}: Given): { title: string; lines: Line[] }[] {
  const plain = (id: string, title: string, href: string | null = null): ShownHit => ({
    id,
    href,
    title,
    detail: '',
    when: '',
    amount: '',
    state: null,
  });
  const shown = groups.map((group) => ({
    name: group.name,
    title: group.title,
    lines: [
      ...group.hits.map((hit) => ({
        id: hit.id,
        hit,
        press: () => {
          if (hit.href !== null) go(hit.href);
        },
      })),
      ...(group.all === null || words === null
        ? []
        : [
            {
              id: `${group.name}-all`,
              hit: plain(`${group.name}-all`, words.all, group.all),
              press: () => go(group.all!),
            },
          ]),
    ],
  }));
  const others = [
    ...(recent.length > 0 && words !== null
      ? [
          {
            name: 'recent',
            title: words.recent,
            lines: recent.map((text, n) => ({
              id: `recent-${n}`,
              hit: plain(`recent-${n}`, text),
              press: () => setText(text),
            })),
          },
        ]
      : []),
    ...(askable && words !== null
      ? [
          {
            name: 'ask',
            title: words.provider,
            lines: [{ id: 'ask', hit: plain('ask', words.askProvider), press: askProvider }],
          },
        ]
      : []),
  ];
  // Actions come last: a record that was found is the likelier target.
  return [
    ...shown.filter((one) => one.name !== 'actions'),
    ...others,
    ...shown.filter((one) => one.name === 'actions'),
  ];
}
