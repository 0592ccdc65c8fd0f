import type { State } from '#lib/movements/state.ts';
import type { Row } from './store.ts';

/**
 * What happened to each intent, for the drills and the figures. It holds only what is visible from
 * outside: the requests, the records and the row.
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
  'policy stricter while it waited',
  'policy looser while it waited',
  'maker disabled while it waited',
  'approver disabled before it left',
  'waits again for an approval',
  'two approve at once',
  'approver where owners are asked',
  'approved by an earlier maker',
  'released by no owner',
  'left on the word of an owner',
  'left with its approvals',
  'signed too weakly',
  'signed something else',
  'signature spoiled',
  'row changed past the triggers',
  'sent back',
  'approved a day later',
  'made of an approved file',
  'pays a person by a file',
  'its number leads elsewhere',
  'taken out of its file',
  'its file approved a day later',
  'approver of its file disabled',
  'changed in its file past the triggers',
] as const;
export type Mark = (typeof MARKS)[number];

export type Life = {
  readonly extId: string;
  readonly met: Set<Mark>;
  /** Every state that the intent entered, in order. */
  readonly states: State[];
  readonly returns: Set<Row['returned']>;
  readonly flags: Set<NonNullable<Row['alert']>>;
  /** When the first byte of each of its requests left, in the time of the world. */
  readonly sentAt: number[];
  /** When the intent was claimed for each send, in the time of the world. */
  readonly claimedAt: number[];
  executed: number;
  looks: number;
};

export class Lives {
  private readonly lives = new Map<string, Life>();
  private readonly met: Record<Mark, number>;

  /** `met`: how many intents met each situation, for the figures. */
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
