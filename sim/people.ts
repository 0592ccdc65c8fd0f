import type { MovementContent } from '#lib/movements/content-text.ts';
import { isTransfer } from '#lib/movements/kinds.ts';
import { bodyOf } from './claim.ts';
import { closeMovement } from './closing.ts';
import type { Closed } from './closing.ts';
import { DatabaseFault } from './database.ts';
import { approve, checkNow, cancel, edit, familyOf, freshenParent, No, submit } from './desk.ts';
import type { Form } from './desk.ts';
import type { Need } from './knobs.ts';
import { PAYEES } from './payees.ts';
import { isLive } from './provider.ts';
import type { Random } from './random.ts';
import type { Row, Tx } from './store.ts';
import { HOUR, MINUTE } from './time.ts';
import type { World } from './world.ts';

/**
 * A person who needs one thing paid once, and everybody around: impatient, forgetful, clicking
 * twice, and never dishonest.
 */

const APPROVERS = ['selin', 'deniz', 'can', 'ayse', 'mehmet'] as const;
const SUBMIT_TRIES = 6;
const FRESH_TRIES = 8;
const LOOKS_MAX = 40;
const RACE_MS = 300;
const CLOSE_TRIES = 8;

export class Buyer {
  private readonly world: World;
  private readonly need: Need;
  private readonly random: Random;
  private looks = 0;
  /** What this person last wrote down: after editing a payout, the person wants the edited one. */
  private wanted: { amountMinor: bigint; number: string };

  constructor(world: World, need: Need) {
    this.world = world;
    this.need = need;
    this.random = world.random(`buyer ${need.index}`);
    this.wanted = { amountMinor: need.amountMinor, number: this.numbers()[0] };
    world.agenda.at(need.startsAt, () => {
      this.click(this.form(null), 1);
      this.lookLater();
    });
  }

  /** The two accounts of the payee: at a bank, or with the provider itself. */
  private numbers(): readonly [string, string] {
    const payee = PAYEES[this.need.payee]!;
    return isTransfer(this.world.knobs.kind) ? payee.wallets : payee.ibans;
  }

  private payee(
    number: string,
  ): Pick<MovementContent, 'iban' | 'taxNumber' | 'toWallet' | 'foundBy' | 'foundName'> {
    const { kind } = this.world.knobs;
    if (!isTransfer(kind))
      return {
        iban: number,
        taxNumber: PAYEES[this.need.payee]!.taxNumber,
        toWallet: null,
        foundBy: null,
        foundName: null,
      };
    return {
      iban: '',
      taxNumber: '',
      toWallet: number,
      foundBy: kind === 'transfer_person' ? 'phone:90:5330000201' : null,
      foundName: null,
    };
  }

  private name(): string {
    return `buyer ${this.need.index}`;
  }

  private form(retryOf: string | null): Form {
    const { world, need, random } = this;
    const payee = PAYEES[need.payee]!;
    const { id, extId } = world.newIntent();
    const content: MovementContent = {
      wallet: '1000000001',
      name: payee.name,
      ...this.payee(
        retryOf !== null && random.chance(0.2) ? this.numbers()[1] : this.wanted.number,
      ),
      amountMinor: this.wanted.amountMinor,
      currency: 'TRY',
      paymentType: world.knobs.kind === 'transfer_own' ? '' : '01',
      description: `Fatura ${need.index}`,
    };
    return {
      id,
      extId,
      kind: world.knobs.kind,
      need: need.index,
      maker: need.maker,
      content,
      approvalsNeeded: world.knobs.approvalsNeeded,
      retryOf,
      overrides: [],
    };
  }

  /**
   * The button, pressed once or twice; an error page makes people press it again, on the same form
   * or on a new one.
   */
  private click(form: Form, round: number): void {
    const { world, random } = this;
    if (round === 1 && world.fault('doubleClick', random))
      this.world.restore.laterUnlessRestored(random.between(1, 600), () =>
        this.submitOnce(form, SUBMIT_TRIES),
      );
    this.submitOnce(form, round);
  }

  private submitOnce(form: Form, round: number): void {
    const { world, random } = this;
    // Above the form the page says that a recovery is open.
    if (world.restore.phase === 'open') return;
    // People do not send it to another account while it is on its way to the first: no program
    // could tell that from a new payment.
    if (
      (form.content.toWallet ?? form.content.iban) !== this.wanted.number &&
      this.isOnItsWay(form)
    )
      return;
    const earlier = this.row(form.id);
    try {
      const id = world.database.transaction(`${this.name()}: submit`, (tx) => submit(tx, form));
      if (earlier !== undefined)
        world.lives.meets(
          earlier.extId,
          world.acknowledged.has(id) ? 'clicked twice' : 'sent again after an error',
        );
      world.acknowledged.add(id);
      this.remember(id);
      if (form.retryOf !== null) world.watch.paidAgain(this.row(form.retryOf)!);
      this.askApprovers(id);
      this.raceTheClaim(id);
    } catch (error) {
      if (error instanceof DatabaseFault) {
        if (round >= SUBMIT_TRIES) return;
        const again = world.fault('impatient', random) ? this.form(form.retryOf) : form;
        this.world.restore.laterUnlessRestored(random.between(200, 20_000), () =>
          this.click(again, round + 1),
        );
      } else if (error instanceof No) this.refused(form, error);
      else throw error;
    }
  }

  private remember(id: string): void {
    const row = this.row(id);
    if (row !== undefined)
      this.wanted = { amountMinor: row.amountMinor, number: row.toWallet ?? row.iban };
  }

  /**
   * Ticks "this is another payment" when it is one, and "pay again" when it is that; nothing else.
   */
  private refused(form: Form, no: No): void {
    const { world } = this;
    world.stats.refusals++;
    world.note(
      this.name(),
      () =>
        `is refused: ${no.message} ${no.findings
          .filter((one) => one.level === 'block' || one.level === 'warn')
          .map((one) => one.code)
          .join(' ')}`,
    );
    if (no.message !== 'needs_reason') return;
    const warnings = no.findings.filter(
      (one) => one.level === 'warn' && !form.overrides.includes(one.code),
    );
    if (!this.isOnItsWay(form))
      this.submitOnce(
        { ...form, overrides: [...form.overrides, ...warnings.map((one) => one.code)] },
        SUBMIT_TRIES,
      );
  }

  /**
   * Something else of this need, which this form does not pay again, has not ended without money.
   */
  private isOnItsWay(form: Form): boolean {
    if (this.world.restore.isPaidElsewhere(this.need.index)) return true;
    const family = form.retryOf === null ? [] : familyOf(this.mine(), form.retryOf);
    return this.mine().some(
      (row) =>
        row.id !== form.id &&
        !family.includes(row) &&
        !['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'].includes(row.state) &&
        row.returned !== 'CONFIRMED',
    );
  }

  private mine(): Row[] {
    return [...this.world.database.rows()].filter((row) => row.need === this.need.index);
  }

  private row(id: string): Row | undefined {
    return this.world.database.tables.rows.get(id);
  }

  private lookLater(): void {
    const { world, random } = this;
    if (++this.looks > LOOKS_MAX) return;
    world.agenda.after(random.spread(5_000, 2 * HOUR), () => {
      if (world.healed) return;
      this.look();
      this.lookLater();
    });
  }

  /** A person opens one of the pages and does something, fitting or not. */
  private look(): void {
    const { world, random } = this;
    const rows = this.mine();
    if (rows.length === 0) return this.click(this.form(null), 1);
    if (world.restore.isUnderWay) return;
    const row = random.pick(rows);
    if (world.fault('askNow', random)) this.try('ask now', (tx) => checkNow(tx, row.id));
    if (world.fault('cancel', random)) this.try('cancel', (tx) => cancel(tx, row.id));
    if (world.fault('edit', random)) this.edit(row.id);
    if (row.state === 'UNKNOWN' && world.fault('resolve', random)) this.resolveLater(row.id);
    if (world.fault('impatient', random)) {
      world.lives.meets(row.extId, 'form filled in again');
      this.click(this.form(null), 1);
    } else if (world.fault('payAgain', random)) this.payAgain(row.id, 1);
  }

  private edit(id: string): void {
    if (this.row(id)?.state !== 'AWAITING_APPROVAL') return;
    const amountMinor = this.random.chance(0.5)
      ? this.need.amountMinor
      : this.need.amountMinor - 100n;
    const number = this.random.pick(this.numbers());
    this.try('edit', (tx) => edit(tx, id, { amountMinor, ...this.payee(number) }));
    this.remember(id);
    this.askApprovers(id);
  }

  private try(what: string, work: (tx: Tx) => void): void {
    try {
      this.world.database.transaction(`${this.name()}: ${what}`, work);
    } catch (error) {
      if (!(error instanceof DatabaseFault) && !(error instanceof No)) throw error;
    }
  }

  private payAgain(parentId: string, round: number): void {
    let fresh = false;
    this.try('look at the parent', (tx) => {
      fresh = round === 1 ? freshenParent(tx, parentId) : freshenParent(tx, parentId, false);
    });
    if (fresh) this.click(this.form(parentId), 1);
    else if (round < FRESH_TRIES)
      this.world.restore.laterUnlessRestored(1_000, () => this.payAgain(parentId, round + 1));
  }

  private askApprovers(id: string): void {
    const { world, random } = this;
    const row = this.row(id);
    if (row?.state !== 'AWAITING_APPROVAL') return;
    world.lives.meets(row.extId, 'waited for approval');
    for (const person of APPROVERS) {
      const strange = world.fault('strangeApproval', random);
      if (person === this.need.maker && !strange) continue;
      if (random.chance(0.25)) continue;
      this.world.restore.laterUnlessRestored(random.spread(2_000, 3 * HOUR), () =>
        this.readAndApprove(id, person),
      );
      if (strange)
        this.world.restore.laterUnlessRestored(random.spread(2_000, 3 * HOUR), () =>
          this.readAndApprove(id, person),
        );
    }
  }

  /** Between reading and pressing, another person may have edited the payout. */
  private readAndApprove(id: string, person: string): void {
    const { world, random } = this;
    const read = this.row(id);
    if (read?.state !== 'AWAITING_APPROVAL') return;
    const pressesAfter = random.spread(1_000, 10 * MINUTE);
    if (world.fault('edit', random))
      this.world.restore.laterUnlessRestored(random.between(0, pressesAfter), () => this.edit(id));
    this.world.restore.laterUnlessRestored(pressesAfter, () => {
      this.meetsApproving(read, person);
      world.watch.approvals.signs(id, person, bodyOf(read));
      this.try(`${person} approves`, (tx) => approve(tx, id, person, read.contentHash));
      this.raceTheClaim(id);
    });
  }

  private meetsApproving(read: Row, person: string): void {
    const { database, lives } = this.world;
    const row = this.row(read.id)!;
    if (row.state !== 'AWAITING_APPROVAL') return lives.meets(read.extId, 'approved too late');
    if (person === row.makerId) lives.meets(read.extId, 'approved by its maker');
    if (row.contentHash !== read.contentHash) lives.meets(read.extId, 'approved as it was before');
    if ((database.tables.approvals.get(read.id) ?? []).some((one) => one.personId === person))
      lives.meets(read.extId, 'approved twice by one');
  }

  /** A person cancels in the very moment in which it may be sent. */
  private raceTheClaim(id: string): void {
    const { world, random } = this;
    if (this.row(id)?.state !== 'APPROVED' || !world.fault('cancelRace', random)) return;
    this.world.restore.laterUnlessRestored(random.between(0, RACE_MS), () => {
      this.try('cancel', (tx) => cancel(tx, id));
      const { extId, state } = this.row(id)!;
      if (state === 'CANCELLED') world.lives.meets(extId, 'cancelled before the claim');
      else if (state !== 'APPROVED') world.lives.meets(extId, 'claimed before the cancel');
    });
  }

  /**
   * Two people who read the provider's written answer end what no record ends; each tries until the
   * worker has looked.
   */
  private resolveLater(id: string): void {
    const { world, random } = this;
    const others = APPROVERS.filter((person) => person !== this.need.maker);
    const first = random.pick(others);
    const second = world.fault('strangeWord', random)
      ? random.pick([first, this.need.maker])
      : random.pick(others.filter((person) => person !== first));
    const at = random.between(0, 30 * HOUR);
    this.world.restore.laterUnlessRestored(at, () => this.sayNotDone(id, first, 1));
    this.world.restore.laterUnlessRestored(at + random.spread(MINUTE, 30 * HOUR), () =>
      this.sayNotDone(id, second, 1),
    );
  }

  private sayNotDone(id: string, personId: string, round: number): void {
    const { world } = this;
    const row = this.row(id)!;
    const isThere =
      world.provider.payments.some((one) => one.extId === row.extId && isLive(one)) ||
      (world.network.underWay.get(row.extId) ?? 0) > 0;
    if (row.state !== 'UNKNOWN' || isThere || round > CLOSE_TRIES) return;
    let closed: Closed | null = null;
    this.try(`${personId} says not done`, (tx) => {
      closed = closeMovement(tx, id, { personId, claim: 'not_done' }, world.policy.quietMs);
    });
    if (personId === row.makerId && closed !== null && closed !== 'look_first')
      world.lives.meets(row.extId, 'word of the maker');
    if (closed === 'closed') world.lives.meets(row.extId, 'closed by people');
    if (closed === 'look_first')
      this.world.restore.laterUnlessRestored(2_000, () => this.sayNotDone(id, personId, round + 1));
  }
}
