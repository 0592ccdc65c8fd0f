import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from './link.tsx';

/**
 * A real table that becomes one card a row below 640 px: no list scrolls sideways. Give each cell its column's `label`, which
 * the card shows.
 */
export function Table({ caption, head, children }: { caption: string; head: ReactNode; children: ReactNode }): ReactNode {
  return (
    <table className="w-full border-collapse text-table max-sm:block">
      <caption className="sr-only">{caption}</caption>
      <thead className="sticky top-12 z-10 bg-surface max-sm:hidden"><tr className="border-b border-hairline text-left">{head}</tr></thead>
      <tbody className="max-sm:grid max-sm:grid-cols-[minmax(0,1fr)]">{children}</tbody>
    </table>
  );
}

export function Row({ children }: { children: ReactNode }): ReactNode {
  return <tr className="border-b border-hairline last:border-0 hover:bg-raised max-sm:grid max-sm:grid-cols-[minmax(0,1fr)] max-sm:gap-1.5 max-sm:px-4 max-sm:py-3 sm:h-10">{children}</tr>;
}

/** Between a phone and a wide screen a `wide` column makes room for the others. */
const WIDE = 'sm:max-xl:hidden';
/** Label and value of a card. */
const PAIR = 'max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:gap-4';

/** `whole`: of a card it takes the whole width, without a label: for a form. */
export function Cell({ label, numeric = false, first = false, wide = false, whole = false, children }: { label?: ReactNode; numeric?: boolean; first?: boolean; wide?: boolean; whole?: boolean; children: ReactNode }): ReactNode {
  return (
    <td className={`px-3 py-1.5 sm:first:pl-4 sm:last:pr-4 max-sm:p-0 ${whole ? 'max-sm:block' : PAIR} ${numeric ? 'text-right font-medium tabular-nums whitespace-nowrap' : ''} ${first ? 'max-sm:text-body' : ''} ${wide ? WIDE : ''}`}>
      {label && !whole && <span className="text-label font-normal text-muted sm:hidden">{label}</span>}
      <span className={`min-w-0 max-sm:wrap-anywhere ${whole ? '' : first && !label ? 'max-sm:grow' : 'max-sm:text-right'}`}>{children}</span>
    </td>
  );
}

/** A column head. With `href` it sorts: the order lives in the URL, so the back button undoes it. */
export function Head({ children, numeric = false, wide = false, href, sorted }: { children: ReactNode; numeric?: boolean; wide?: boolean; href?: string; sorted?: 'ascending' | 'descending' }): ReactNode {
  const Arrow = sorted === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <th scope="col" aria-sort={sorted} className={`px-3 py-2 text-label font-medium text-muted sm:first:pl-4 sm:last:pr-4 ${numeric ? 'text-right' : ''} ${wide ? WIDE : ''}`}>
      {href ? (
        <Link href={href} scroll={false} className={`inline-flex min-h-6 items-center gap-1 rounded-control hover:text-ink ${sorted ? 'text-ink' : ''} ${numeric ? 'flex-row-reverse' : ''}`}>
          {children}
          <Arrow aria-hidden className={`size-3.5 ${sorted ? '' : 'opacity-0'}`} />
        </Link>
      ) : children}
    </th>
  );
}

/** Filters that are on, each readable as a sentence and removable by itself. */
export function Chip({ href, remove, children }: { href: string; remove: string; children: ReactNode }): ReactNode {
  return (
    <Link href={href} scroll={false} aria-label={remove} className="inline-flex min-h-7 max-w-full items-center gap-1.5 rounded-full border border-hairline bg-raised px-3 text-label font-medium hover:border-control pointer-coarse:min-h-11">
      <span className="min-w-0 wrap-anywhere">{children}</span>
      <X aria-hidden className="size-3.5 shrink-0" />
    </Link>
  );
}

/** Saved views as links. */
export function Tabs({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return <nav aria-label={label} className="no-print flex flex-wrap gap-x-1 border-b border-hairline">{children}</nav>;
}

export function Tab({ href, current, children }: { href: string; current: boolean; children: ReactNode }): ReactNode {
  return (
    <Link href={href} scroll={false} aria-current={current ? 'page' : undefined}
      className={`-mb-px inline-flex min-h-9 items-center gap-1.5 border-b-2 px-3 text-body font-medium pointer-coarse:min-h-11 ${current ? 'border-accent text-ink' : 'border-transparent text-muted hover:text-ink'}`}>
      {children}
    </Link>
  );
}

export function Pager({ label, previous, next, words, children }: { label: string; previous: string | null; next: string | null; words: { previous: string; next: string }; children?: ReactNode }): ReactNode {
  return (
    <nav aria-label={label} className="no-print flex flex-wrap items-center justify-between gap-3 px-4 py-2.5">
      <div className="text-label text-muted">{children}</div>
      <div className="flex gap-2">
        <PageLink href={previous} label={words.previous}><ChevronLeft aria-hidden className="size-4" />{words.previous}</PageLink>
        <PageLink href={next} label={words.next}>{words.next}<ChevronRight aria-hidden className="size-4" /></PageLink>
      </div>
    </nav>
  );
}

function PageLink({ href, label, children }: { href: string | null; label: string; children: ReactNode }): ReactNode {
  const look = 'inline-flex min-h-8 items-center gap-1 rounded-control border border-hairline px-2.5 text-label font-medium pointer-coarse:min-h-11';
  if (href === null) return <span aria-hidden className={`${look} text-subtle`}>{children}</span>;
  return <Link href={href} aria-label={label} className={`${look} hover:border-control`}>{children}</Link>;
}
