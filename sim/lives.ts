import type { State } from '#lib/movements/state.ts';
import type { Row } from './store.ts';

/**
 * What each intent went through, for the drills and the figures. Only what is visible from outside:
 * the requests, the records, the row.
 */

/**
 * The situations of the fault matrix. A world reports when an intent meets one; each counts once
 * per intent.
 */
export const MARKS = [
  'killed before its claim',
  'killed before connecting',
  'killed on the wire',
  'killed before recording',
  'frozen over its lease',
  'database away at its claim',
  'database away at recording',
  'commit unconfirmed',
  'request lost',
  'answer lost',
  'request late',
  'gateway error before work',
  'gateway error after work',
  'request doubled',
  'answer garbled',
  'redirected',
  'not sent',
  'turned away by token',
  'duplicate on the first send',
  'one-minute rule',
  'one-minute rule after unclear',
  'no balance after unclear',
  'not listed while pending',
  'not listed for half an hour',
  'by hand at the bank',
  'came back',
  'forged return',
  'forged end',
  'notice repeated',
  'notice before our answer',
  'notice out of order',
  'notice for nobody',
  'notice flood',
  'old notice replayed',
  'database clock jumped',
  'wall clock jumped',
  'clicked twice',
  'sent again after an error',
  'approved by its maker',
  'approved twice by one',
  'approved as it was before',
  'approved too late',
  'cancelled before the claim',
  'claimed before the cancel',
  'answer names another',
  'record contradicts the end',
  'paid again',
  'record code for an answer',
  'strange answer',
  'record names another',
  'frozen over a look',
  'stopped by the switch',
  'waited for approval',
  'a part came back',
  'ended without money',
  'nothing more is heard',
  'form filled in again',
  'closed by people',
  'word of the maker',
  'its send forgotten',
  'waited since a restore',
] as const;
export type Mark = (typeof MARKS)[number];

export type Life = {
  readonly extId: string;
  readonly met: Set<Mark>;
  /** Every state it entered, in order. */
  readonly states: State[];
  readonly returns: Set<Row['returned']>;
  readonly flags: Set<NonNullable<Row['alert']>>;
  /** When a first byte of it left, in the time of the world. */
  readonly sentAt: number[];
  /** When it was claimed for a send. */
  readonly claimedAt: number[];
  executed: number;
  looks: number;
};

export class Lives {
  private readonly lives = new Map<string, Life>();
  private readonly met: Record<Mark, number>;

  /** `met` counts for the figures. */
  constructor(met: Record<Mark, number>) {
    this.met = met;
  }

  of(extId: string): Life {
    let life = this.lives.get(extId);
    if (life === undefined) {
      life = {
        extId,
        met: new Set(),
        states: [],
        returns: new Set(),
        flags: new Set(),
        sentAt: [],
        claimedAt: [],
        executed: 0,
        looks: 0,
      };
      this.lives.set(extId, life);
    }
    return life;
  }

  all(): IterableIterator<Life> {
    return this.lives.values();
  }

  meets(extId: string, mark: Mark): void {
    const { met } = this.of(extId);
    if (met.has(mark)) return;
    met.add(mark);
    this.met[mark]++;
  }

  changed(before: Row | null, after: Row, now: number): void {
    const life = this.of(after.extId);
    if (before?.state !== after.state) life.states.push(after.state);
    if (before !== null && after.sends > before.sends) life.claimedAt.push(now);
    life.returns.add(after.returned);
    if (after.alert !== null) life.flags.add(after.alert);
  }
}
