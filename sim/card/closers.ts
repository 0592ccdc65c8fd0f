import { DatabaseFault } from '../database.ts';
import { No } from '../desk.ts';
import type { Random } from '../random.ts';
import type { Row } from '../store.ts';
import { HOUR, MINUTE } from '../time.ts';
import { closeMovement } from './desk.ts';
import type { CardWorld } from './world.ts';

/**
 * Two people who close what no worker can close: they read the gateway's panel, rightly or wrongly,
 * and claim the outcome. Some change their claim.
 */

const PEOPLE = ['selin', 'can', 'deniz'] as const;
const ROUND_MS = { min: 20 * MINUTE, max: 6 * HOUR };
const HASTY_MS = { min: 10_000, max: 20 * MINUTE };

export class Closers {
  private readonly world: CardWorld;
  private readonly random: Random;

  constructor(world: CardWorld) {
    this.world = world;
    this.random = world.random('closers');
    for (const person of PEOPLE) this.later(person);
  }

  private later(person: string): void {
    const { min, max } = this.world.fault('hasty', this.random) ? HASTY_MS : ROUND_MS;
    this.world.agenda.after(this.random.spread(min, max), () => {
      for (const row of this.world.database.tables.rows.values())
        if (['UNKNOWN', 'PENDING', 'MANUAL_REVIEW'].includes(row.state)) this.say(person, row);
      this.later(person);
    });
  }

  private say(person: string, row: Row): void {
    const { world } = this;
    const works = world.gateway.of(row.extId);
    const isWaiting = works.some((work) => work.state === 'waiting');
    const truth = world.judge.panelShows(row);
    // A refund that waits for the gateway's staff is neither done nor declined, so that a person
    // who reads the panel claims neither.
    if (isWaiting) return;
    const isMisread = world.fault('panelMisread', this.random);
    const isTaken = truth !== isMisread;
    const yes = row.kind === 'cashout' && row.state === 'UNKNOWN' ? 'taken' : 'done';
    // An accepted payout has ended here: no panel shows when the bank has paid it.
    if (row.kind === 'cashout' && row.state !== 'UNKNOWN') return;
    world.note(person, () => `says of ${row.extId} that it was ${isTaken ? '' : 'not '}taken`);
    world.web.run(closeMovement(row.id, person, isTaken ? yes : 'not_done'), (end) => {
      if (end.kind === 'done' && end.value === 'closed') world.stats.card.closed++;
      if (
        end.kind === 'threw' &&
        !(end.error instanceof DatabaseFault) &&
        !(end.error instanceof No)
      )
        throw end.error as Error;
      // Within ten minutes the person reads the panel again, correctly, and claims what it shows:
      // the first claim no longer counts.
      if (world.fault('changedWord', this.random)) {
        world.agenda.after(this.random.between(1_000, 10 * MINUTE), () =>
          world.web.run(closeMovement(row.id, person, truth ? yes : 'not_done'), () => undefined),
        );
      }
    });
  }
}
