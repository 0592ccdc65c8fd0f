import type { ReactNode } from 'react';

/**
 * A panel. `list`: it holds a table, whose sticky head has a background of its own; the panel clips
 * it, so that the head does not cover the round corners.
 */
export function Panel({
  title,
  aside,
  list = false,
  children,
  className = '',
}: {
  title?: ReactNode;
  aside?: ReactNode;
  list?: boolean;
  children: ReactNode;
  className?: string;
}): ReactNode {
  const look = `rounded-panel border border-hairline bg-surface ${list ? 'overflow-clip' : ''}`;
  return (
    <section className={`${look} ${className}`}>
      {(title || aside) && (
        <div className="flex items-center justify-between gap-3 border-b border-hairline px-4 py-2.5">
          {title && <h2 className="text-section font-semibold">{title}</h2>}
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}

export function PageHead({
  title,
  live,
  children,
}: {
  title: ReactNode;
  /** Stands in the line of the title on a phone too, so that its words move no button. */
  live?: ReactNode;
  children?: ReactNode;
}): ReactNode {
  return (
    <div className="flex min-h-9 flex-wrap items-center justify-between gap-3">
      <h1 className="text-title font-semibold">{title}</h1>
      {live && <div className="ml-auto">{live}</div>}
      {children && <div className="flex min-w-0 flex-wrap items-center gap-2">{children}</div>}
    </div>
  );
}

/** Label–value pairs: a description list in two columns, one on a phone. */
export function Facts({ children }: { children: ReactNode }): ReactNode {
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-2.5 px-4 py-3 sm:grid-cols-[minmax(7rem,auto)_1fr]">
      {children}
    </dl>
  );
}

export function Fact({ label, children }: { label: ReactNode; children: ReactNode }): ReactNode {
  return (
    <div className="contents">
      <dt className="text-label leading-5 font-medium text-muted">{label}</dt>
      <dd className="min-w-0 text-body break-words max-sm:-mt-2">{children}</dd>
    </div>
  );
}

/** A panel of label–value pairs; a pair without a value has no row. */
export function FactPanel({
  title,
  facts,
}: {
  title: ReactNode;
  facts: readonly (readonly [label: string, value: ReactNode])[];
}): ReactNode {
  return (
    <Panel title={title}>
      <Facts>
        {facts.map(
          ([label, value]) =>
            value && (
              <Fact key={label} label={label}>
                {value}
              </Fact>
            ),
        )}
      </Facts>
    </Panel>
  );
}

export function EmptyState({
  title,
  children,
  actions,
}: {
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}): ReactNode {
  return (
    <div className="grid gap-2 px-4 py-10 text-muted">
      <div className="text-section font-semibold text-ink">{title}</div>
      {children && <div className="max-w-prose">{children}</div>}
      {actions && <div className="mt-2 flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}

/** A placeholder of fixed size while data loads. `className` gives width and height. */
export function Skeleton({ className }: { className: string }): ReactNode {
  return <span aria-hidden className={`skeleton block rounded-control ${className}`} />;
}
