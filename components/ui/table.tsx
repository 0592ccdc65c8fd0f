import { __iconData as arrowDown } from 'lucide-react/icons/arrow-down';
import { __iconData as arrowUp } from 'lucide-react/icons/arrow-up';
import { __iconData as chevronLeft } from 'lucide-react/icons/chevron-left';
import { __iconData as chevronRight } from 'lucide-react/icons/chevron-right';
import { __iconData as x } from 'lucide-react/icons/x';
import { isValidElement } from 'react';
import type { ReactNode } from 'react';
import { drawn } from './icon.tsx';
import { Link } from './link.tsx';

const ArrowDown = drawn(arrowDown);
const ArrowUp = drawn(arrowUp);
const ChevronLeft = drawn(chevronLeft);
const ChevronRight = drawn(chevronRight);
const X = drawn(x);

/**
 * A table whose rows become cards on a phone (app/lists.css). Give each cell its column's `label`,
 * which the card shows.
 */
export function Table({
  caption,
  head,
  children,
}: {
  caption: string;
  head: ReactNode;
  children: ReactNode;
}): ReactNode {
  return (
    <table className="list">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>{head}</tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/**
 * A row of the table. `brief`: on a phone it has two lines instead of one per cell, with only its
 * first, numeric, state and time cells. `lead`: on a phone its second cell, the amount, stands beside
 * the first. `current`: the row that a link pointed at.
 */
export function Row({
  brief = false,
  lead = false,
  current = false,
  children,
}: {
  brief?: boolean;
  lead?: boolean;
  current?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <tr
      aria-current={current || undefined}
      className={classes({ row: true, brief, lead, 'bg-raised': current })}
    >
      {children}
    </tr>
  );
}

/**
 * A cell, which is a line of the card on a phone: the label, then the content as one box; text or a
 * single element needs no wrapper. `whole`: full width without a label, for a form. `onCard`: on a
 * phone only.
 */
export function Cell({
  label,
  numeric = false,
  first = false,
  wide = false,
  whole = false,
  state = false,
  when = false,
  onCard = false,
  children,
}: {
  label?: string;
  numeric?: boolean;
  first?: boolean;
  wide?: boolean;
  whole?: boolean;
  state?: boolean;
  when?: boolean;
  onCard?: boolean;
  children: ReactNode;
}): ReactNode {
  const isOne =
    typeof children === 'string' || (isValidElement(children) && typeof children.type === 'string');
  return (
    <td
      data-label={whole ? undefined : label}
      className={classes({ numeric, first, wide, whole, state, when, 'on-card': onCard })}
    >
      {isOne ? children : <span>{children}</span>}
    </td>
  );
}

const SORT_LINK = 'inline-flex min-h-6 items-center gap-1 rounded-control hover:text-ink';

/**
 * A column head. With `href` it sorts the list: the order is in the address, so the back button
 * restores the former order.
 */
export function Head({
  children,
  numeric = false,
  wide = false,
  href,
  sorted,
  before,
}: {
  children: ReactNode;
  numeric?: boolean;
  wide?: boolean;
  href?: string;
  sorted?: 'ascending' | 'descending';
  /**
   * The content before the column's name and outside its link: the checkbox that ticks the page.
   */
  before?: ReactNode;
}): ReactNode {
  const Arrow = sorted === 'ascending' ? ArrowUp : ArrowDown;
  const name = href ? (
    <Link
      href={href}
      scroll={false}
      className={`${SORT_LINK} ${sorted ? 'text-ink' : ''} ${numeric ? 'flex-row-reverse' : ''}`}
    >
      {children}
      <Arrow aria-hidden className={`size-3.5 ${sorted ? '' : 'opacity-0'}`} />
    </Link>
  ) : (
    children
  );
  return (
    <th scope="col" aria-sort={sorted} className={classes({ numeric, wide })}>
      {before ? (
        <span className="flex items-center gap-3">
          {before}
          {name}
        </span>
      ) : (
        name
      )}
    </th>
  );
}

function classes(on: Record<string, boolean>): string | undefined {
  return (
    Object.keys(on)
      .filter((name) => on[name])
      .join(' ') || undefined
  );
}

const CHIP =
  'inline-flex min-h-7 max-w-full items-center gap-1.5 rounded-full border border-hairline ' +
  'bg-raised px-3 text-label font-medium hover:border-control pointer-coarse:min-h-11';

/** An active filter as a sentence, with a link that removes it. */
export function Chip({
  href,
  remove,
  children,
}: {
  href: string;
  remove: string;
  children: ReactNode;
}): ReactNode {
  return (
    <Link href={href} scroll={false} aria-label={remove} className={CHIP}>
      <span className="min-w-0 wrap-anywhere">{children}</span>
      <X aria-hidden className="size-3.5 shrink-0" />
    </Link>
  );
}

/** Saved views as links. */
export function Tabs({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <nav aria-label={label} className="no-print flex flex-wrap gap-x-1 border-b border-hairline">
      {children}
    </nav>
  );
}

const TAB =
  '-mb-px inline-flex min-h-9 items-center gap-1.5 border-b-2 px-3 text-body font-medium ' +
  'pointer-coarse:min-h-11';

/**
 * A link to a saved view. `waiting`: the number of its rows that need a person; shown when it is
 * not zero.
 */
export function Tab({
  href,
  current,
  waiting = 0,
  onPress,
  children,
}: {
  href: string;
  current: boolean;
  waiting?: number;
  onPress?: () => void;
  children: ReactNode;
}): ReactNode {
  return (
    <Link
      href={href}
      scroll={false}
      {...(onPress === undefined ? {} : { onClick: onPress })}
      aria-current={current ? 'page' : undefined}
      className={`${TAB} ${current ? 'border-accent text-ink' : 'border-transparent text-muted hover:text-ink'}`}
    >
      {children}
      {waiting > 0 && (
        <span className="rounded-full bg-attention-ground px-1.5 text-label text-attention tabular-nums">
          {waiting}
        </span>
      )}
    </Link>
  );
}

/** A sentence below the rows: of what the table does not show. */
export function TableNote({ children }: { children: ReactNode }): ReactNode {
  return <p className="border-t border-hairline px-4 py-3 text-muted">{children}</p>;
}

export function Pager({
  label,
  previous,
  next,
  words,
  children,
}: {
  label: string;
  previous: string | null;
  next: string | null;
  words: { previous: string; next: string };
  children?: ReactNode;
}): ReactNode {
  return (
    <nav
      aria-label={label}
      className="no-print flex flex-wrap items-center justify-between gap-3 px-4 py-2.5"
    >
      <div className="text-label text-muted">{children}</div>
      <div className="flex gap-2">
        <PageLink href={previous} label={words.previous}>
          <ChevronLeft aria-hidden className="size-4" />
          {words.previous}
        </PageLink>
        <PageLink href={next} label={words.next}>
          {words.next}
          <ChevronRight aria-hidden className="size-4" />
        </PageLink>
      </div>
    </nav>
  );
}

function PageLink({
  href,
  label,
  children,
}: {
  href: string | null;
  label: string;
  children: ReactNode;
}): ReactNode {
  const look =
    'inline-flex min-h-8 items-center gap-1 rounded-control border border-hairline px-2.5 ' +
    'text-label font-medium pointer-coarse:min-h-11';
  if (href === null)
    return (
      <span aria-hidden className={`${look} text-subtle`}>
        {children}
      </span>
    );
  return (
    <Link href={href} aria-label={label} className={`${look} hover:border-control`}>
      {children}
    </Link>
  );
}
