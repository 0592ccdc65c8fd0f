import { saw, sawAllOf } from './snapshot.ts';

/**
 * The latest announced changes, in the order in which their transactions were committed. Answers
 * which of them a page does not show yet. Pure: the web process keeps one for all its streams, and
 * a tab keeps one for its own stream.
 */
export class RecentChanges<Change extends { tx?: string | undefined }> {
  readonly #kept: (Change & { tx: string })[] = [];
  readonly #max: number;
  #from: string | null = null;
  #dropped = false;

  /** `max`: how many changes are kept. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Forgets everything: changes may be missing from now on, until `completeFrom`. */
  clear(): void {
    this.#kept.length = 0;
    this.#from = null;
    this.#dropped = false;
  }

  /** Every change that a reading at `snapshot` did not see has been added, or will be. */
  completeFrom(snapshot: string): void {
    this.#from = snapshot;
  }

  add(change: Change): void {
    const { tx } = change;
    if (tx === undefined) return;
    this.#kept.push({ ...change, tx });
    if (this.#kept.length <= this.#max) return;
    this.#kept.shift();
    this.#dropped = true;
  }

  /** The changes that a reading at `snapshot` did not see; null when some of them may be missing. */
  unseenBy(snapshot: string): Change[] | null {
    return this.#isCompleteFor(snapshot)
      ? this.#kept.filter((change) => !saw(snapshot, change.tx))
      : null;
  }

  #isCompleteFor(snapshot: string): boolean {
    // Dropped changes were committed before the oldest one kept: who saw that one saw them.
    const [oldest] = this.#kept;
    if (this.#dropped && oldest !== undefined) return saw(snapshot, oldest.tx);
    return this.#from !== null && sawAllOf(snapshot, this.#from);
  }
}
