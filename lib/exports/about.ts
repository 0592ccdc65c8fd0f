import { formatDateTime } from '#lib/values/dates.ts';
import { formatMoney } from '#lib/values/money.ts';
import { partWord, shownSums } from './profile.ts';
import type { Frame, Sums } from './profile.ts';

/** A file's description of itself: author, time, filter, row count, sums and a checksum. Pure. */

/** Known when the last row is written. `entry` is the part of the file that the digest covers. */
export type Total = { askedAt: string; rows: number; sums: Sums; entry: string; digest: string };

export function aboutLines(
  frame: Frame,
  total: Total,
  marked: boolean,
): [label: string, value: string][] {
  const { labels, locale, zone } = frame;
  return [
    [labels.by, frame.by],
    [labels.when, formatDateTime(total.askedAt, locale, { zone, seconds: true })],
    [labels.zone, zone],
    [labels.filter, frame.filter.length === 0 ? labels.all : frame.filter.join(' · ')],
    [labels.moments, labels.momentsIs],
    [labels.personal, labels.personalIs],
    ...(marked
      ? [[labels.marks.split('\n')[0] ?? '', labels.marks.split('\n')[1] ?? ''] as [string, string]]
      : []),
    [labels.rows, String(total.rows)],
    ...shownSums(total.sums).map(({ currency, part, count, minor }): [string, string] => [
      `${labels.sum} ${currency}${part === null ? '' : ` · ${partWord(frame, part)}`} (${count})`,
      formatMoney(BigInt(minor), currency, locale),
    ]),
    [labels.checksum, `SHA-256 ${total.digest} (${total.entry})`],
  ];
}

export function readme(frame: Frame, total: Total): string {
  return `\uFEFF${frame.title}\r\n\r\n${aboutLines(frame, total, true)
    .map(([label, value]) => `${label}: ${value}\r\n`)
    .join('')}`;
}
