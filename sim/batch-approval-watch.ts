import { CLOCK_MS, isStrong, STRENGTHS } from './approvals.ts';
import type { Signed } from './approvals.ts';
import { NOTHING } from './asked.ts';
import type { Asked } from './asked.ts';
import { batchAsked } from './batch-asked.ts';
import { asMovement } from './batch-content.ts';
import type { Batch } from './batches.ts';
import type { PersonName } from './governance.ts';
import type { Change, Row } from './store.ts';
import { DAY } from './time.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

/**
 * Judges the approval of files: who pressed on which rows, and what the policy of that moment asked
 * of all of them, stored apart from the product; and which rows an approver has taken out.
 */

/** `shown`: what the page showed of each row, by the row's id. */
type Pressed = {
  person: string;
  shown: ReadonlyMap<string, string>;
  releases: boolean;
  signed: Signed;
};
type Given = Pressed & { batch: string; at: number; mayApprove: boolean; asOwner: boolean };

export class BatchApprovalWatch {
  private readonly world: World;
  private readonly pressed = new Map<string, Pressed>();
  private given: Given[] = [];
  private asked: { batch: string; asked: Asked; at: number }[] = [];
  /** The needs of rows that an approver has taken out and no maker has put back. */
  private out = new Map<number, number>();
  /** Each batch as it was judged last. */
  private readonly known = new Map<string, Batch>();

  constructor(world: World) {
    this.world = world;
  }

  /** A person approves the rows that the page showed. */
  presses(batch: string, pressed: Pressed): void {
    this.pressed.set(`${batch} ${pressed.person}`, pressed);
  }

  /** The maker puts a row back that an approver has taken out. */
  putBack(need: number): void {
    this.out.delete(need);
  }

  committed({ rows, given, at }: Pick<Change, 'rows' | 'given' | 'at'>): void {
    const { batches, governance } = this.world.database.tables;
    for (const { id, personId } of given) this.give(id, personId);
    for (const batch of batches.values()) {
      const before = this.known.get(batch.id);
      if (before === batch) continue;
      this.known.set(batch.id, batch);
      if (before === undefined) this.submitted(batch, at);
      if (before?.approval.at === null && batch.approval.at !== null) this.approved(batch, at);
      if ((before?.approval.sentBack ?? null) === null) this.takenOut(batch);
    }
    if (governance === null) return;
    for (const { before, after } of rows) {
      const batch = before === null ? this.batchOf(after) : undefined;
      if (batch !== undefined) this.inserted(batch, after);
    }
  }

  private give(batch: string, personId: string): void {
    const pressed = this.pressed.get(`${batch} ${personId}`);
    if (pressed === undefined) return;
    const member = this.world.database.tables.governance!.people[personId as PersonName];
    const mayApprove = !member.disabled && ['approver', 'owner'].includes(member.role);
    const asOwner = member.role === 'owner';
    const at = this.world.agenda.now;
    this.given.push({ ...pressed, batch, at, mayApprove, asOwner });
  }

  private submitted(batch: Batch, at: number): void {
    const back = batch.rows.find(({ need }) => this.out.has(need));
    if (back !== undefined)
      throw new Violation('M5', `${batch.id} has row ${back.n}, which its approver took out`);
    this.ask(batch, at);
  }

  private ask({ id, rows, maker }: Batch, at: number): void {
    const { governance, rows: all } = this.world.database.tables;
    if (governance === null) return;
    const own = rows.map((row) => asMovement(row, maker, at));
    const asked = batchAsked(own, governance, [...all.values()], at);
    this.asked.push({ batch: id, asked, at: this.world.agenda.now });
  }

  private approved(batch: Batch, at: number): void {
    const since = this.asked.find((one) => one.batch === batch.id)?.at ?? 0;
    if (this.world.agenda.now - since > DAY + CLOCK_MS)
      throw new Violation('M4', `${batch.id} is approved after it has waited for more than a day`);
    this.ask(batch, at);
    const disabled = this.disabled();
    for (const row of batch.rows) {
      const movement = asMovement(row, batch.maker, at);
      this.covers(batch, movement, (person) => !disabled.has(person));
    }
  }

  private disabled(): ReadonlySet<string> {
    const people = Object.entries(this.world.database.tables.governance?.people ?? {});
    return new Set(people.filter(([, { disabled }]) => disabled).map(([name]) => name));
  }

  private takenOut({ approval, rows }: Batch): void {
    for (const n of approval.sentBack ?? []) {
      const row = rows.find((one) => one.n === n);
      if (row !== undefined) this.out.set(row.need, this.world.agenda.now);
    }
  }

  /** A row became an intent: its file was approved, and what leaves on that was approved as it is. */
  private inserted(batch: Batch, row: Row): void {
    const asked = this.askedOf(batch.id);
    const { people } = asked;
    if (people > 0) this.world.watch.approvals.least(row.id, asked);
    if (people > 0 && batch.approval.at === null)
      throw new Violation('M4', `${row.extId} is made before ${batch.id} is approved`);
    if (batch.stopped)
      throw new Violation('M4', `${row.extId} is made of ${batch.id}, which is over`);
    if (row.state === 'APPROVED') this.covers(batch, row, () => true);
    if (people > 0) this.world.lives.meets(row.extId, 'made of an approved file');
  }

  private covers(batch: Batch, row: Row, counts: (person: string) => boolean): void {
    const { people, ownersOnly, signed } = this.askedOf(batch.id);
    if (people === 0) return;
    const makers = this.makersOf(batch);
    const text = this.world.scene.shown(row);
    const counted = this.given.filter(
      (one) =>
        one.batch === batch.id &&
        one.shown.get(row.id) === text &&
        one.mayApprove &&
        counts(one.person) &&
        !makers.includes(one.person) &&
        isStrong(one.signed, signed),
    );
    if (counted.some(({ releases, asOwner }) => releases && asOwner)) return;
    const who = new Set(
      counted.filter(({ asOwner }) => asOwner || !ownersOnly).map(({ person }) => person),
    );
    if (who.size < people)
      throw new Violation(
        'M4',
        `${row.extId} of ${batch.id} goes on with ${who.size} of ${people} approvals` +
          `${ownersOnly ? ' of owners' : ''} of this row, signed: ${signed}`,
      );
  }

  /** The strictest of what was asked when the file was submitted and when it was approved. */
  private askedOf(batch: string): Asked {
    const all = this.asked.filter((one) => one.batch === batch).map(({ asked }) => asked);
    if (all.length === 0) return NOTHING;
    return {
      people: Math.max(...all.map(({ people }) => people)),
      ownersOnly: all.some(({ ownersOnly }) => ownersOnly),
      signed: STRENGTHS.findLast((one) => all.some(({ signed }) => signed === one)) ?? 'none',
    };
  }

  private makersOf({ maker, parent }: Batch): string[] {
    const above = parent === null ? undefined : this.world.database.tables.batches.get(parent);
    return above === undefined ? [maker] : [maker, ...this.makersOf(above)];
  }

  private batchOf({ id }: Row): Batch | undefined {
    for (const batch of this.world.database.tables.batches.values())
      if (batch.rows.some((row) => row.id === id)) return batch;
    return undefined;
  }

  /** The rows became those of a copy that was made at `madeAt`: what was later is to be done again. */
  restored(madeAt: number): void {
    this.given = this.given.filter(({ at }) => at <= madeAt);
    this.asked = this.asked.filter(({ at }) => at <= madeAt);
    this.out = new Map([...this.out].filter(([, at]) => at <= madeAt));
    this.known.clear();
    for (const batch of this.world.database.tables.batches.values())
      this.known.set(batch.id, batch);
  }
}
