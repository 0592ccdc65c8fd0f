import { postNotice } from './notices.ts';
import type { Payment } from './provider.ts';
import type { Random } from './random.ts';
import { DAY, HOUR, MINUTE } from './time.ts';
import type { World } from './world.ts';

/**
 * What the bank does with an accepted payment: it pays at once, late, after a manual review, or
 * never, and sometimes the money is returned.
 */

const SLOWEST_MS = { seconds: MINUTE, minutes: 45 * MINUTE, hours: 6 * HOUR } as const;
const BY_HAND_MAX_MS = 20 * HOUR;
const RETURN_MAX_MS = 3 * DAY;

type PostedBy = (lagMs: number) => number;

export function bankTakes(
  world: World,
  payment: Payment,
  random: Random,
  postedBy: PostedBy,
): void {
  const outcome = world.fault('bankReject', random)
    ? 'rejected'
    : world.fault('bankFail', random)
      ? 'failed'
      : 'completed';
  if (world.fault('silence', random))
    return world.lives.meets(payment.extId, 'nothing more is heard');
  let wait = random.chance(0.1) ? 0 : random.spread(1_000, SLOWEST_MS[world.knobs.slowest]);
  if (world.fault('manual', random)) {
    wait = random.between(HOUR, BY_HAND_MAX_MS);
    world.later(random.between(0, 20_000), () => {
      payment.byHand = true;
      world.lives.meets(payment.extId, 'by hand at the bank');
      if (random.chance(0.3)) postNotice(world, payment, '3');
    });
  }
  if (wait === 0) settle(world, payment, outcome, random, postedBy);
  else world.later(wait, () => settle(world, payment, outcome, random, postedBy));
}

function settle(
  world: World,
  payment: Payment,
  outcome: 'completed' | 'rejected' | 'failed',
  random: Random,
  postedBy: PostedBy,
): void {
  payment.state = outcome;
  payment.byHand = false;
  world.note('bank', () => `${outcome} ${payment.extId}`);
  if (outcome === 'completed') {
    payment.postedAt = postedBy(world.knobs.questions.lagMaxMs);
    world.later(payment.postedAt - world.agenda.now, () => undefined);
    postNotice(world, payment, '1');
    if (world.fault('bankReturn', random))
      world.later(random.spread(MINUTE, RETURN_MAX_MS), () =>
        giveBack(world, payment, random, postedBy),
      );
    return;
  }
  world.provider.release(payment);
  world.lives.meets(payment.extId, 'ended without money');
  postNotice(world, payment, random.pick(['2', '4']));
  if (world.fault('changedMind', random)) {
    world.later(random.spread(MINUTE, 2 * HOUR), () => {
      payment.state = 'completed';
      payment.postedAt = world.agenda.now;
      world.note('bank', () => `completes ${payment.extId} after all`);
      world.watch.changedMind(payment);
    });
  }
}

function giveBack(world: World, payment: Payment, random: Random, postedBy: PostedBy): void {
  const part = world.fault('partialReturn', random);
  const amountMinor = part ? payment.amountMinor - 600n : payment.amountMinor;
  world.lives.meets(payment.extId, part ? 'a part came back' : 'came back');
  payment.back = {
    amountMinor,
    postedAt: postedBy(world.knobs.questions.lagMaxMs),
    transactionId: world.provider.newId('8'),
  };
  world.later(payment.back.postedAt - world.agenda.now, () => undefined);
  world.note('bank', () => `gives ${part ? 'a part of ' : ''}${payment.extId} back`);
  postNotice(world, payment, '5');
}
