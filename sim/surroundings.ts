import { DatabaseFault } from './database.ts';
import { bodyOf } from './claim.ts';
import { wireKey } from './descriptions.ts';
import { objectionTo } from './desk.ts';
import { governanceOf } from './governance.ts';
import type { GovernancePlan } from './governance.ts';
import { PAYEES } from './payees.ts';
import type { Random } from './random.ts';
import type { Scene } from './scene.ts';
import { HOUR, MINUTE } from './time.ts';
import type { World } from './world.ts';

/** Plans payments to the same IBANs by the merchant's other programs, which do not use ours. */
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

/** Plans that the kill switch is turned on and off again. */
export function planSwitch(world: World): void {
  const random = world.random('switch');
  const turn = (off: boolean): void => {
    try {
      world.database.transaction(`operator: switch ${off ? 'off' : 'on'}`, (tx) =>
        tx.turnSwitch(off),
      );
    } catch (error) {
      if (!(error instanceof DatabaseFault)) throw error;
      // The operator retries until sending is on again.
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

/**
 * Gives a world of either side a policy, or none. Returns whether the web stores every press of an
 * approver that the database takes.
 */
export function planGovernance(
  world: { scene: Scene; random: (stream: string) => Random },
  plan: GovernancePlan,
): boolean {
  const { scene } = world;
  const random = world.random('has a policy');
  if (!scene.fault('policy', random)) return false;
  scene.tables.governance = governanceOf(plan);
  return scene.fault('unguarded', random);
}

export function sceneOf(world: World): Scene {
  return {
    get tables() {
      return world.database.tables;
    },
    get unguarded() {
      return world.unguarded;
    },
    get isRestoring() {
      return world.restore.isUnderWay;
    },
    get approvals() {
      return world.watch.approvals;
    },
    agenda: world.agenda,
    now: () => world.database.clock(),
    judgeAgain: objectionTo,
    fault: (name, random) => world.fault(name, random),
    meets: (extId, mark) => world.lives.meets(extId, mark),
    note: (who, what) => world.note(who, what),
    laterUnlessRestored: (ms, run) => world.restore.laterUnlessRestored(ms, run),
    shown: (row) => wireKey(bodyOf(row)),
  };
}
