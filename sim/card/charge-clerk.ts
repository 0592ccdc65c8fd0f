import { nextCharge, takenCharges } from '#lib/cards/recurring/plan.ts';
import { DatabaseFault } from '../database.ts';
import { No } from '../desk.ts';
import type { Random } from '../random.ts';
import { DAY, HOUR, MINUTE } from '../time.ts';
import { acknowledge, chargeCard, closePlanCharge, startPlanCharge } from './charge-desk.ts';
import type { Lane } from './effect.ts';
import type { CardNeed } from './knobs.ts';
import type { LaneEnd } from './process.ts';
import { OPEN_CHARGES } from './store.ts';
import type { CardWorld } from './world.ts';

/**
 * People who want one charge, of a plan or of a card, made once. They click twice, work in two
 * tabs, and press again when the page says that nothing was charged.
 */

const LOOKS_MAX = 60;
const CARD_MINOR = 7_500n;
const PEOPLE = ['selin', 'can', 'deniz'] as const;
const ROUND_MS = { min: 20 * MINUTE, max: 6 * HOUR };

/**
 * The needs of further charges have numbers above this one, and so above all needs that a world
 * draws.
 */
const ANOTHER_NEED = 1_000;
const ANOTHER_TRIES = 5;

type Press = { id: string; run: () => Lane<string | null> };

export class ChargeClerk {
  private readonly world: CardWorld;
  private readonly need: CardNeed;
  private readonly random: Random;
  private looks = 0;
  /** The form that was submitted last. */
  private pressed: Press | null = null;

  constructor(world: CardWorld, need: CardNeed) {
    this.world = world;
    this.need = need;
    this.random = world.random(`clerk ${need.index}`);
    world.agenda.at(need.startsAt, () => {
      this.press(this.form());
      if (world.fault('twoTabs', this.random)) this.secondTab();
      this.lookLater();
    });
  }

  /**
   * The second tab was opened together with the first one. It submits a form made from the plan's
   * record as it stood then.
   */
  private secondTab(): void {
    if (this.need.kind !== 'plan') return;
    const form = this.form();
    this.world.agenda.after(this.random.between(0, 2_000), () => this.press(form));
  }

  /** The form of the next charge. Null where the page offers no charge. */
  private form(): Press | null {
    const {
      world,
      need: { index, kind, order, maker },
    } = this;
    const { id } = world.newIntent();
    if (kind === 'charge')
      return {
        id,
        run: () =>
          chargeCard(
            { id, invoiceId: `F-M-${id}`, need: index, maker, amountMinor: CARD_MINOR },
            world.web.clocks,
          ),
      };
    const planId = `plan-${order + 1}`;
    const { known } = world.database.tables.plans.get(planId)!;
    const next = nextCharge(known);
    if (next === null) return null;
    const form = { id, planId, need: index, maker, taken: takenCharges(known), ...next };
    return { id, run: () => startPlanCharge(form) };
  }

  private press(form: Press | null): void {
    if (form === null) return;
    this.pressed = form;
    this.submit(form);
    if (this.world.fault('doubleClick', this.random)) this.submit(form);
  }

  private submit(form: Press): void {
    const { world } = this;
    world.stats.card.pressed++;
    world.note(`clerk ${this.need.index}`, () => `presses ${this.need.kind}`);
    world.web.run(form.run(), (end) => {
      if (end.kind === 'done' && end.value !== null) world.stats.card.stopped++;
      throwUnlessRefused(end);
    });
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
    const { charges, payments } = world.database.tables;
    const plan = [...charges.values()].filter((row) => row.need === this.need.index);
    const cards = [...payments.values()].filter((row) => row.made?.need === this.need.index);
    const isEnded =
      plan.every((row) => row.state === 'NOT_CHARGED' && row.contradictedAt === null) &&
      cards.every((row) => row.known.state === 'failed');
    const isStored = [...plan, ...cards].some(({ id }) => id === this.pressed?.id);
    const last = plan.at(-1)?.id ?? cards.at(-1)?.invoiceId;
    if (!isEnded || world.restoredAt !== null || !world.fault('pressAgain', this.random)) return;
    // The page says that nothing was charged: pressing again is right.
    if (last !== undefined) world.charges.pressedAgain(last);
    // When the page shows nothing of the last submit, the person submits the same form again: the
    // first request may still be under way.
    this.press(isStored ? this.form() : (this.pressed ?? this.form()));
  }
}

/**
 * People who close charges that no record ends, by what the gateway's panel shows them, and who
 * acknowledge the contradictions of a plan's record.
 */
export class ChargeClosers {
  private readonly world: CardWorld;
  private readonly random: Random;
  private wanted = 0;

  constructor(world: CardWorld) {
    this.world = world;
    this.random = world.random('charge closers');
    for (const person of PEOPLE) this.later(person);
  }

  private later(person: string): void {
    const { world } = this;
    world.agenda.after(this.random.spread(ROUND_MS.min, ROUND_MS.max), () => {
      for (const row of world.database.tables.charges.values())
        if (OPEN_CHARGES.includes(row.state)) this.say(person, row.id);
      for (const { id, known } of world.database.tables.plans.values())
        if (known.problem === 'contradiction') this.see(id);
      this.later(person);
    });
  }

  private say(person: string, id: string): void {
    const { world } = this;
    const isTaken = world.charges.wasExecuted(id) !== world.fault('panelMisread', this.random);
    world.web.run(closePlanCharge(id, person, isTaken ? 'done' : 'not_done'), (end) => {
      if (end.kind === 'done' && end.value === 'closed') {
        world.stats.card.closed++;
        const { planId, maker } = world.database.tables.charges.get(id)!;
        if (world.fault('pressAnother', this.random)) this.pressAnotherLater(planId, maker);
      }
      throwUnlessRefused(end);
    });
  }

  /** A person also requests the plan's next charge, and tries again after a refusal. */
  private pressAnotherLater(planId: string, maker: string, triesLeft = ANOTHER_TRIES): void {
    const { world, random } = this;
    world.agenda.after(random.spread(MINUTE, DAY), () => {
      const { known } = world.database.tables.plans.get(planId)!;
      const next = nextCharge(known);
      const again = (): void => {
        if (triesLeft > 0) this.pressAnotherLater(planId, maker, triesLeft - 1);
      };
      if (next === null) return again();
      const { id } = world.newIntent();
      world.stats.card.pressed++;
      world.note(maker, () => `presses the next charge of ${planId}: ${id}`);
      const need = ANOTHER_NEED + ++this.wanted;
      const form = { id, planId, need, maker, taken: takenCharges(known), ...next };
      world.web.run(startPlanCharge(form), (end) => {
        throwUnlessRefused(end);
        if (end.kind === 'done' && end.value !== null) again();
      });
    });
  }

  private see(planId: string): void {
    try {
      this.world.database.transaction('seen', (tx) => acknowledge(tx, planId));
    } catch (error) {
      if (!(error instanceof DatabaseFault)) throw error;
    }
  }
}

/** Ignores a refusal and a database fault: both are answers that people get. */
function throwUnlessRefused(end: LaneEnd): void {
  if (end.kind === 'threw' && !(end.error instanceof DatabaseFault) && !(end.error instanceof No))
    throw end.error as Error;
}
