import { wireKey } from './descriptions.ts';
import type { Row } from './store.ts';
import { Violation } from './violation.ts';

/** Who approved what, counted apart from the product, and compared with what is on the wire. */
export class Approvals {
  private readonly signed = new Map<string, string[]>();

  /** A person approved what stood on the screen. */
  signs(id: string, person: string, body: string): void {
    this.signed.set(id, [...(this.signed.get(id) ?? []), `${person}|${wireKey(body)}`]);
  }

  /** The first byte leaves. */
  covers(row: Row, body: string): void {
    const people = (this.signed.get(row.id) ?? [])
      .filter((one) => one.endsWith(`|${wireKey(body)}`))
      .map((one) => one.split('|')[0]!);
    const others = new Set(people.filter((person) => person !== row.makerId));
    if (others.size < row.approvalsNeeded)
      throw new Violation(
        'I3',
        `${row.extId} is on the wire with ${others.size} of ${row.approvalsNeeded} approvals`,
      );
  }
}
