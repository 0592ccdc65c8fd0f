'use client';

import type { ReactNode } from 'react';
import { usePrintedAt } from '#components/printing.ts';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';

/** The head of a printed page: the merchant's name and the time of printing. */
export function PrintHead({
  merchant,
  product,
  printed,
  locale,
  zone,
}: {
  merchant: string | null;
  product: string;
  printed: string;
  locale: Locale;
  zone: string;
}): ReactNode {
  const at = usePrintedAt();
  if (at === null) return null;
  return (
    <div className="flex items-baseline justify-between gap-4 border-b border-hairline px-4 pb-2 sm:px-6">
      <p className="text-section font-semibold">{merchant ?? product}</p>
      <p className="text-label text-muted">
        {merchant !== null && `${product} · `}
        {printed}:{' '}
        <time dateTime={at} className="tabular-nums">
          {formatDateTime(at, locale, { seconds: true, zone })}
        </time>
      </p>
    </div>
  );
}
