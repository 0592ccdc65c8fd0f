import type { Change, Row } from './store.ts';
import { DAY } from './time.ts';
import { Violation } from './violation.ts';

/**
 * Checks closings by two people without the product's own code: who made the claims, and how long
 * after the outcome first became unclear.
 */

type Word = { personId: string; at: number };

export class TwoPeople {
  private readonly words = new Map<string, Word[]>();
  private readonly unclearAt = new Map<string, number>();

  committed(change: Change): void {
    for (const { id, personId } of change.words)
      this.words.set(id, [...(this.words.get(id) ?? []), { personId, at: change.at }]);
    for (const { before, after } of change.rows) {
      if (after.state === 'UNKNOWN' && !this.unclearAt.has(after.id))
        this.unclearAt.set(after.id, after.lastSendAt ?? change.at);
      const isClosed = change.played.some(
        ({ extId, kind }) => extId === after.extId && kind.startsWith('resolved_'),
      );
      if (before !== null && isClosed) this.closed(after, change.at);
    }
  }

  private closed(row: Row, at: number): void {
    const people = new Set(
      (this.words.get(row.id) ?? [])
        .filter((word) => word.personId !== row.makerId && at - word.at < DAY)
        .map(({ personId }) => personId),
    );
    if (people.size < 2)
      throw new Violation(
        'Q',
        `${row.extId} was closed by ${[...people].join(' and ') || 'nobody'}`,
      );
    const age = at - (this.unclearAt.get(row.id) ?? at);
    if (age < DAY)
      throw new Violation(
        'Q',
        `${row.extId} was closed ${Math.round(age / 60_000)} minutes after it became unclear`,
      );
  }
}
