import { may } from '#lib/access/actor.ts';
import { payeeColumns, rowKindOf } from '#lib/batches/row-content.ts';
import type { PersonFound } from '#lib/transfers/person.ts';
import { paidOf } from './batch-content.ts';
import type { Batch, BatchRow } from './batches.ts';
import { retryRows } from './batches.ts';
import { objectionsTo } from './desk.ts';
import { keyOf, nameOf } from './directory.ts';
import { PEOPLE } from './governance.ts';
import type { PersonName } from './governance.ts';
import type { Random } from './random.ts';
import type { Tx } from './store.ts';
import { HOUR } from './time.ts';
import type { World } from './world.ts';

/** The draft of a file: whom its rows pay, what the check says of them, and what a retry takes. */

const MAKER = 'ayse';
/** What a person who looks at a row does not tick. */
const LEFT_OUT: readonly string[] = ['person_differs', 'person_similar', 'person_unnamed'];

export class FileDesk {
  /** Chance of what was not played before rows could pay persons. */
  readonly random: Random;
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
    this.random = world.random('people of a file');
  }

  /** A colleague may prepare the retry. */
  makerOf(from: Batch | null): string {
    const { world, random } = this;
    const { governance } = world.database.tables;
    if (governance === null || from === null || !world.fault('otherMaker', random)) return MAKER;
    const mayPrepare = (one: PersonName): boolean =>
      may(governance.people[one].role, 'payout.prepare');
    return random.pick(PEOPLE.filter((one) => one !== from.maker && mayPrepare(one)));
  }

  /** The row pays the wallet of the file's nth person instead of an account. */
  toPerson(row: BatchRow, n: number): BatchRow {
    const content = { ...row.content, iban: '', taxNumber: '', name: nameOf(n), foundBy: keyOf(n) };
    return this.lookedUp({ ...row, content });
  }

  /** The wallet and the name to which the number of a row leads now. */
  private lookedUp(row: BatchRow): BatchRow {
    const { foundBy } = row.content;
    if (foundBy === null) return row;
    const { wallet, name } = this.world.directory.find(foundBy);
    const person = { toWallet: wallet, foundBy, foundName: name };
    return { ...row, content: { ...row.content, ...payeeColumns({ person }) } };
  }

  /** Whom the numbers lead to, as far as the provider answers. */
  find(keys: readonly string[]): ReadonlyMap<string, PersonFound> {
    const { world, random } = this;
    return new Map(
      keys.flatMap((key) =>
        world.fault('readLost', random) ? [] : [[key, world.directory.find(key)] as const],
      ),
    );
  }

  moveNumbers(rows: readonly BatchRow[]): void {
    const { world, random } = this;
    for (const { extId, content } of rows) {
      const { foundBy } = content;
      if (foundBy === null || !world.fault('numberMoves', random)) continue;
      world.agenda.after(random.spread(1_000, 3 * HOUR), () => {
        world.directory.move(foundBy, random);
        world.lives.meets(extId, 'its number leads elsewhere');
      });
    }
  }

  /**
   * The rows of a retry, in the order of the file: each pays again the latest intent that an earlier
   * batch made of it. What an approver has taken out stays out, unless the maker puts it back.
   */
  again(tx: Tx, from: Batch): BatchRow[] {
    const { rows, leftOut } = retryRows(tx, from.id);
    const kept = rows.filter((row) => !leftOut.includes(row.n) || this.putsBack(row));
    return kept.map((row) => this.lookedUp(this.retried(tx, from, row)));
  }

  private putsBack({ need }: BatchRow): boolean {
    const isBack = this.world.fault('rowPutBack', this.random);
    if (isBack) this.world.watch.batches.approvals.putBack(need);
    return isBack;
  }

  private retried(tx: Tx, from: Batch, row: BatchRow): BatchRow {
    let latest = row.made ? row.id : null;
    for (let batch: Batch | null = from; latest === null && batch !== null;) {
      batch = batch.parent === null ? null : tx.batch(batch.parent);
      const earlier = batch?.rows.find(({ n }) => n === row.n);
      if (earlier?.made === true) latest = earlier.id;
    }
    const anew = { overrides: [], made: false, refused: null };
    return { ...row, ...this.world.newIntent(), ...anew, retryOf: latest };
  }

  /** The draft's check: a row that is blocked is left out, and warnings are ticked or left out. */
  checked(tx: Tx, row: BatchRow, all: readonly BatchRow[]): BatchRow[] {
    const { id, content } = row;
    const findings = objectionsTo(tx, {
      ...{ id, content, kind: rowKindOf(paidOf(row)), besides: new Set(all.map((one) => one.id)) },
      person: content.foundBy === null ? undefined : this.world.directory.find(content.foundBy),
    });
    if (findings.some(({ level }) => level === 'block')) return [];
    const warned = findings.filter(({ level }) => level === 'warn').map(({ code }) => code);
    if (warned.some((code) => LEFT_OUT.includes(code))) return [];
    // What may be this payment again is no new one: this person looks, and leaves the row out.
    if (warned.length > 0 && this.isOut(tx, row)) return [];
    const { foundBy: key, iban } = content;
    this.world.watch.batches.people.writes(id, key === null ? { iban } : { key });
    return [{ ...row, overrides: [...new Set(warned)] }];
  }

  /** Whether another payment of this need is, or may be, out. */
  private isOut(tx: Tx, { need, retryOf }: BatchRow): boolean {
    return (
      this.world.restore.isPaidElsewhere(need) ||
      tx.rows().some((one) => one.need === need && one.id !== retryOf && one.state !== 'CANCELLED')
    );
  }
}
