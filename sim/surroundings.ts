import { DatabaseFault } from './database.ts';
import { PAYEES } from './payees.ts';
import { HOUR, MINUTE } from './time.ts';
import type { World } from './world.ts';

/** The merchant's other programs pay the same people too, now and then, and not through us. */
export function planElsewhere(world: World): void {
  const random = world.random('elsewhere');
  const ibans = PAYEES.flatMap((payee) => payee.ibans);
  for (let n = world.knobs.faults.elsewhere > 0 ? random.between(3, 60) : 0; n > 0; n--) {
    const iban = random.pick(ibans);
    world.plans('elsewhere', random.between(0, world.knobs.healsAt), () =>
      world.provider.paidElsewhere(iban),
    );
  }
}

/** The kill switch, thrown and released. */
export function planSwitch(world: World): void {
  const random = world.random('switch');
  const turn = (off: boolean): void => {
    try {
      world.database.transaction(`operator: switch ${off ? 'off' : 'on'}`, (tx) =>
        tx.turnSwitch(off),
      );
    } catch (error) {
      if (!(error instanceof DatabaseFault)) throw error;
      // The operator retries until it is on again.
      if (!off) world.agenda.after(1_000, () => turn(off));
    }
  };
  if (world.knobs.faults.killSwitch === 0) return;
  const at = random.between(0, world.knobs.healsAt);
  world.plans('killSwitch', at, () => turn(true));
  world.agenda.at(Math.min(at + random.spread(MINUTE, 2 * HOUR), world.knobs.healsAt), () =>
    turn(false),
  );
}
