import { No } from '../desk.ts';
import { DatabaseFault } from '../database.ts';
import { PolicyApprovers } from '../policy-approvers.ts';
import type { Random } from '../random.ts';
import type { Row } from '../store.ts';
import { HOUR, MINUTE } from '../time.ts';
import { checkNow, cancel, startOperation, submitCashout } from './desk.ts';
import type { Form } from './desk.ts';
import type { Lane } from './effect.ts';
import type { CardNeed } from './knobs.ts';
import type { LaneEnd } from './process.ts';
import type { CardTx } from './store.ts';
import type { CardWorld } from './world.ts';

/**
 * A person who wants one operation done once: clicks twice, works in two tabs, and presses again
 * when the page says that nothing was done.
 */

const PAYEES = [
  'TR670006105197864578413200',
  'TR170006105197864578429038',
  'TR640006105197864578444876',
  'TR890006105197864578436957',
  'TR420006105197864578421119',
] as const;
const CASHOUT_MINOR = 40_000n;
const PART_MINOR = 4_000n;
const TRIES_MAX = 6;
const LOOKS_MAX = 60;
const ENDED_WITHOUT: readonly string[] = ['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'];

export class Clerk {
  private readonly world: CardWorld;
  private readonly need: CardNeed;
  private readonly random: Random;
  /** The form that was submitted last. */
  private pressed: Form | null = null;
  private tries = 0;
  private looks = 0;
  private readonly approvers: PolicyApprovers;

  constructor(world: CardWorld, need: CardNeed) {
    this.world = world;
    this.need = need;
    this.random = world.random(`clerk ${need.index}`);
    this.approvers = new PolicyApprovers({
      scene: world.scene,
      random: world.random(`approvers ${need.index}`),
      attempt: (what, work) => this.attempt(what, work),
      pressed: () => undefined,
    });
    world.agenda.at(need.startsAt, () => {
      this.press(this.form(), false);
      if (world.fault('twoTabs', this.random))
        world.agenda.after(this.random.between(0, 2_000), () =>
          this.submit(this.form(), false, () => this.secondTab()),
        );
      this.lookLater();
    });
  }

  /**
   * Excuses a need that both tabs requested: a stopped web process may handle the second tab's
   * request half an hour later, when the first tab's operation has ended.
   */
  private secondTab(): void {
    const rows = this.rows();
    if (rows.length > 1 && rows.some((row) => row.state === 'COMPLETED'))
      this.world.judge.excused.add(`need ${this.need.index}`);
  }

  private form(): Form {
    return { ...this.world.newIntent(), need: this.need.index, maker: this.need.maker };
  }

  /**
   * Submits a form once, or twice by a double click, and submits it again when no answer says how
   * it ended.
   */
  private press(form: Form, again: boolean): void {
    this.pressed = form;
    this.submit(form, again, (end) => {
      const isLost =
        end.kind === 'died' || (end.kind === 'threw' && end.error instanceof DatabaseFault);
      const isStopped =
        end.kind === 'done' &&
        typeof end.value === 'string' &&
        ['not_verified', 'one_open', 'blocked'].includes(end.value);
      // A page that was open over a restore has lost its session; its form is not submitted again.
      if (this.world.healed || this.world.restoredAt !== null || ++this.tries > TRIES_MAX) return;
      if (isLost || isStopped)
        this.world.agenda.after(this.random.between(1_000, 10 * MINUTE), () => {
          if (this.seen() === undefined && this.world.restoredAt === null) this.press(form, again);
        });
    });
    if (this.world.fault('doubleClick', this.random)) this.submit(form, again, () => undefined);
  }

  private submit(form: Form, again: boolean, then: (end: LaneEnd) => void): void {
    const { world } = this;
    world.stats.card.pressed++;
    world.note(`clerk ${this.need.index}`, () => `presses ${this.need.kind} with ${form.extId}`);
    world.web.run(this.lane(form, again), (end) => {
      if (end.kind === 'done' && end.value !== null) world.stats.card.stopped++;
      if (
        end.kind === 'threw' &&
        !(end.error instanceof DatabaseFault) &&
        !(end.error instanceof No)
      )
        throw end.error as Error;
      const isStored = world.database.tables.rows.has(form.id);
      if (isStored && world.scene.tables.governance !== null) this.approvers.ask(form.id);
      then(end);
    });
  }

  private lane(form: Form, again: boolean): Lane<string | null> {
    const { kind, order, part, index } = this.need;
    if (kind === 'cashout')
      return submitCashout({
        ...form,
        iban: PAYEES[index]!,
        name: 'Deniz Ticaret',
        amountMinor: CASHOUT_MINOR,
        ticked: again,
      });
    const all = this.world.knobs.orders[order]!.amountMinor;
    const amountMinor = part ? PART_MINOR : all;
    if (kind === 'plan' || kind === 'charge') throw new Error('a charge is no operation');
    return startOperation({
      ...form,
      operation: kind,
      paymentId: `payment-${order + 1}`,
      amountMinor: kind === 'release' ? null : amountMinor,
    });
  }

  /** The first row of this need that is still open or was carried out, as the page shows it. */
  private seen(): Row | undefined {
    return this.rows().find((row) => !ENDED_WITHOUT.includes(row.state));
  }

  private rows(): Row[] {
    return [...this.world.database.tables.rows.values()].filter(
      (row) => row.need === this.need.index,
    );
  }

  private lookLater(): void {
    if (this.looks++ > LOOKS_MAX) return;
    this.world.agenda.after(this.random.spread(20_000, HOUR), () => {
      this.look();
      if (!this.world.healed) this.lookLater();
    });
  }

  private look(): void {
    const { world } = this;
    const open = this.seen();
    if (open !== undefined) return this.meddle(open);
    const last = this.rows().at(-1);
    if (
      last === undefined ||
      this.world.restoredAt !== null ||
      last.alert === 'contradiction' ||
      !world.fault('pressAgain', this.random)
    )
      return;
    // The page says that nothing was done: pressing again is right.
    world.judge.pressedAgain(last);
    // When the page shows nothing of the last submit, the person submits the same form again: the
    // first request may still be under way.
    const isShown = this.rows().some((row) => row.id === this.pressed?.id);
    this.press(this.pressed === null || isShown ? this.form() : this.pressed, true);
  }

  private meddle({ id, state }: Row): void {
    const { world } = this;
    const isWaiting = state === 'APPROVED' || state === 'AWAITING_APPROVAL';
    if (isWaiting && world.fault('cancel', this.random))
      this.attempt('cancel', (tx) => cancel(tx, id));
    else if (state !== 'COMPLETED' && world.fault('askNow', this.random))
      this.attempt('ask now', (tx) => checkNow(tx, id));
  }

  /** False: the database failed, or a rule refused it. */
  private attempt(what: string, work: (tx: CardTx) => void): boolean {
    try {
      this.world.database.transaction(`clerk: ${what}`, work);
      return true;
    } catch (error) {
      if (!(error instanceof DatabaseFault) && !(error instanceof No)) throw error;
      return false;
    }
  }
}
