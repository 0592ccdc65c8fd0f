'use client';

import type { MouseEvent, ReactNode } from 'react';
import { isPlain } from '#components/ui/link.tsx';
import { HitLine } from './hit-line.tsx';
import { SampleList } from './sample-list.tsx';
import type { Line, LineGroup } from './search-lines.ts';
import type { SearchWords } from './search-words.ts';
import type { Search } from './use-search.ts';

export const listId = (id: string): string => `${id}-list`;
export const optionId = (id: string, line: Line): string => `${id}-${line.id}`;

export function SearchResults({
  id,
  label,
  search,
  text,
  groups,
  current,
}: {
  id: string;
  label: string;
  search: Search;
  text: string;
  groups: readonly LineGroup[];
  current: Line | undefined;
}): ReactNode {
  const { words, provider } = search;
  return (
    <div
      id={listId(id)}
      role="listbox"
      aria-label={label}
      className="overflow-y-auto overscroll-contain px-2 pb-2"
    >
      {words !== null && text === '' && <Samples words={words} />}
      {words !== null && isNothingFound(search) && (
        <p className="px-2 py-3 text-muted">{words.none}</p>
      )}
      {groups.map((group) => (
        <div key={group.title} role="group" aria-label={group.title}>
          <p aria-hidden className="px-2 pt-3 pb-1 text-label font-medium text-muted">
            {group.title}
          </p>
          {group.lines.map((line) => (
            <Option key={line.id} id={optionId(id, line)} line={line} selected={line === current} />
          ))}
        </div>
      ))}
      {provider !== null && (
        <p role="status" className="px-2 pt-2 text-label text-muted">
          {provider.message}
        </p>
      )}
    </div>
  );
}

function isNothingFound({ view, busy, trouble }: Search): boolean {
  return (
    view !== null &&
    view.message !== '' &&
    view.text !== '' &&
    view.count === 0 &&
    !busy &&
    trouble === ''
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
      <SampleList samples={words.empty.samples} className="gap-x-6 gap-y-1" />
    </div>
  );
}
