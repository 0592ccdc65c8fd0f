import { approve } from './desk.ts';
import type { Asked, Scene } from './scene.ts';
import type { Row } from './store.ts';
import { HOUR, MINUTE } from './time.ts';
import type { World } from './world.ts';

/**
 * The approvers of one person's payments, in a world without a policy: a row says itself how many
 * approvals it needs, and whoever reads it may give one.
 */

export const APPROVERS = ['selin', 'deniz', 'can', 'ayse', 'mehmet'] as const;

/** `edit`: changes the row while somebody reads it. */
export type Around = Asked & { world: World; maker: string; edit: (id: string) => void };

export class Approvers {
  private readonly around: Around;

  constructor(around: Around) {
    this.around = around;
  }

  ask(id: string): void {
    const { world, random, maker } = this.around;
    const row = world.database.tables.rows.get(id);
    if (row?.state !== 'AWAITING_APPROVAL') return;
    world.lives.meets(row.extId, 'waited for approval');
    for (const person of APPROVERS) {
      const strange = world.fault('strangeApproval', random);
      if (person === maker && !strange) continue;
      if (random.chance(0.25)) continue;
      world.restore.laterUnlessRestored(random.spread(2_000, 3 * HOUR), () =>
        this.readAndApprove(id, person),
      );
      if (strange)
        world.restore.laterUnlessRestored(random.spread(2_000, 3 * HOUR), () =>
          this.readAndApprove(id, person),
        );
    }
  }

  /**
   * A person reads a payout and approves it some time later. In between, another person may have
   * edited it.
   */
  private readAndApprove(id: string, person: string): void {
    const { world, scene, random, attempt, edit, pressed } = this.around;
    const read = world.database.tables.rows.get(id);
    if (read?.state !== 'AWAITING_APPROVAL') return;
    const pressesAfter = random.spread(1_000, 10 * MINUTE);
    if (world.fault('edit', random))
      world.restore.laterUnlessRestored(random.between(0, pressesAfter), () => edit(id));
    world.restore.laterUnlessRestored(pressesAfter, () => {
      meetsApproving(scene, read, person);
      scene.approvals.signs(id, person, scene.shown(read));
      attempt(`${person} approves`, (tx) => approve(tx, id, person, read.contentHash));
      pressed(id);
    });
  }
}

export function meetsApproving(scene: Scene, read: Row, person: string): void {
  const { tables } = scene;
  const row = tables.rows.get(read.id)!;
  if (row.state !== 'AWAITING_APPROVAL') return scene.meets(read.extId, 'approved too late');
  if (person === row.makerId) scene.meets(read.extId, 'approved by its maker');
  if (row.contentHash !== read.contentHash) scene.meets(read.extId, 'approved as it was before');
  if ((tables.approvals.get(read.id) ?? []).some((one) => one.personId === person))
    scene.meets(read.extId, 'approved twice by one');
}
