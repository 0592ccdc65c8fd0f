import type { MovementContent } from '#lib/movements/content-text.ts';
import { isTransfer } from '#lib/movements/kinds.ts';
import { SAYS_UNPAID } from '#lib/movements/state.ts';
import { payeeIn } from './batch-content.ts';
import { closeMovement } from './closing.ts';
import type { Closed } from './closing.ts';
import { DatabaseFault } from './database.ts';
import { APPROVERS, Approvers } from './approvers.ts';
import { checkNow, cancel, edit, freshenParent, No, submit } from './desk.ts';
import type { Form } from './desk.ts';
import { familyOf } from './family.ts';
import type { Need } from './knobs.ts';
import { PAYEES } from './payees.ts';
import { PolicyApprovers } from './policy-approvers.ts';
import type { PersonName } from './governance.ts';
import { isLive } from './provider.ts';
import type { Random } from './random.ts';
import { mayHaveLeft } from './recovery-table.ts';
import type { Row, Tx } from './store.ts';
import { HOUR, MINUTE } from './time.ts';
import type { World } from './world.ts';

/**
 * A person who needs one payment made once, with the approvers around: impatient, forgetful,
 * clicking twice, and never dishonest.
 */

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
  /**
   * The payee's number and the amount that this person submitted last: after editing a payout, the
   * person wants the edited one.
   */
  private wanted: { amountMinor: bigint; number: string };
  private readonly approvers: Approvers | PolicyApprovers;
  /** Chance of what happens only where there is a policy. */
  private readonly colleagues: Random;

  constructor(world: World, need: Need) {
    this.world = world;
    this.need = need;
    this.random = world.random(`buyer ${need.index}`);
    this.wanted = { amountMinor: need.amountMinor, number: this.numbers()[0] };
    this.colleagues = world.random(`colleagues ${need.index}`);
    this.approvers = this.ownApprovers();
    world.agenda.at(need.startsAt, () => {
      this.click(this.form(null), 1);
      this.lookLater();
    });
  }

  private ownApprovers(): Approvers | PolicyApprovers {
    const { world, random, need } = this;
    const asked = {
      scene: world.scene,
      random,
      attempt: (what: string, work: (tx: Tx) => void) => this.try(what, work),
      pressed: (id: string) => this.raceTheClaim(id),
    };
    return world.database.tables.governance === null
      ? new Approvers({ ...asked, world, maker: need.maker, edit: (id) => this.edit(id) })
      : new PolicyApprovers({ ...asked, random: world.random(`approvers ${need.index}`) });
  }

  /** Whether this person has no session, because an owner has disabled the account. */
  private get isOut(): boolean {
    const { governance } = this.world.database.tables;
    return governance?.people[this.need.maker as PersonName].disabled === true;
  }

  /** A colleague may fill in the copy of what was sent back or taken back. */
  private makerOf(retryOf: string | null): string {
    const { world, need, colleagues } = this;
    const isOther =
      world.database.tables.governance !== null &&
      retryOf !== null &&
      world.fault('otherMaker', colleagues);
    return isOther
      ? colleagues.pick(['ayse', 'mehmet', 'deniz'].filter((one) => one !== need.maker))
      : need.maker;
  }

  /** The two account numbers of the payee: IBANs at a bank, or wallets at the provider. */
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
      maker: this.makerOf(retryOf),
      content,
      approvalsNeeded: world.knobs.approvalsNeeded,
      retryOf,
      overrides: [],
    };
  }

  /**
   * Presses the button once, or twice by a double click. An error page makes people press it again,
   * with the same form or with a new one.
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
    // While a recovery is open, the page says so above the form, and people do not submit.
    if (world.restore.phase === 'open' || this.isOut) return;
    // People do not pay one account of the payee while a payment to the other one is on its way: no
    // program could tell that from a new payment. Which one they wanted last is no measure: a restore
    // may have brought back a payment to the other one.
    const number = payeeIn(form.content);
    if (number !== this.wanted.number && this.isOnItsWay(form)) return;
    if (this.onItsWay(form).some((row) => payeeIn(row) !== number)) return;
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
      this.approvers.ask(id);
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

  /** The approvers find what still waits for them. */
  askAgain(): void {
    for (const { id, state } of this.mine())
      if (state === 'AWAITING_APPROVAL') this.approvers.ask(id);
  }

  private remember(id: string): void {
    const row = this.row(id);
    if (row !== undefined) this.wanted = { amountMinor: row.amountMinor, number: payeeIn(row) };
  }

  /**
   * Ticks the warnings only when no other payment of this need is on its way: people tick "this is
   * another payment" and "pay again" only when it is true.
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
   * Whether another payment of this need has paid the payee or may still do so, as its page says: a
   * cancelled one has, when its record contradicts that, and may have, when a restore may have lost
   * a send of it. The payment that this form pays again does not count.
   */
  private isOnItsWay(form: Form): boolean {
    return this.world.restore.isPaidElsewhere(this.need.index) || this.onItsWay(form).length > 0;
  }

  private onItsWay(form: Form): Row[] {
    const { recovery } = this.world.database.tables;
    const family = form.retryOf === null ? [] : familyOf(this.mine(), form.retryOf);
    return this.mine().filter(
      (row) =>
        row.id !== form.id &&
        !family.includes(row) &&
        (row.alert === 'contradiction' ||
          !['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'].includes(row.state) ||
          (SAYS_UNPAID.includes(row.state) && mayHaveLeft(recovery, row))) &&
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

  /** A person opens one of the pages and takes a step, whether it fits the state or not. */
  private look(): void {
    const { world, random } = this;
    const rows = this.mine();
    if (rows.length === 0) return this.click(this.form(null), 1);
    if (world.restore.isUnderWay || this.isOut) return;
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
    this.approvers.ask(id);
  }

  /** False: the database failed, or a rule refused it. */
  private try(what: string, work: (tx: Tx) => void): boolean {
    try {
      this.world.database.transaction(`${this.name()}: ${what}`, work);
      return true;
    } catch (error) {
      if (!(error instanceof DatabaseFault) && !(error instanceof No)) throw error;
      return false;
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

  /** A person cancels a movement at the very moment at which it may be sent. */
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
   * Two people who read the provider's written answer close a movement that no record ends. Each
   * repeats the claim until the worker has checked.
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
