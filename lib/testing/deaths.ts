import pg from 'pg';
import { vi } from 'vitest';
import type { DatabaseRole } from '#lib/runtime/db.ts';

/**
 * Lets a process die after a statement, as `kill -9` does: the statement was carried out, its answer
 * arrives nowhere, the connection ends, and nothing of the process runs on.
 */

type Doomed = { role: DatabaseRole; left: number; died: (backend: number) => void };
type Statement = (...values: unknown[]) => unknown;

export type Deaths = {
  /**
   * Runs `work`, which uses connections of one process with this role alone. `died`: the process is
   * dead after its statement number `after`; `done`: the work has fewer statements.
   */
  within(role: DatabaseRole, after: number, work: () => Promise<unknown>): Promise<'died' | 'done'>;
  restore(): void;
};

/** `watch`: connections of the database's owner. */
export function deaths(watch: pg.Pool): Deaths {
  let doomed: Doomed | null = null;
  const query = pg.Client.prototype.query as unknown as Statement;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (
    this: pg.Client,
    ...values: unknown[]
  ) {
    const death = doomed;
    if (death === null || !isOf(this, death.role)) return query.apply(this, values) as never;
    death.left -= 1;
    if (death.left > 0) return query.apply(this, values) as never;
    await query.apply(this, values);
    const { processID } = this as unknown as { processID: number };
    (this as unknown as pg.PoolClient).release(true);
    death.died(processID);
    return new Promise<never>(() => undefined);
  });
  return {
    async within(role, after, work) {
      const { promise, resolve } = Promise.withResolvers<number>();
      doomed = { role, left: after, died: resolve };
      try {
        const backend = await Promise.race([promise, work().then(() => null)]);
        if (backend === null) return 'done';
        await gone(watch, backend);
        return 'died';
      } finally {
        doomed = null;
      }
    },
    restore: () => spy.mockRestore(),
  };
}

function isOf(client: pg.Client, role: DatabaseRole): boolean {
  const { connectionParameters } = client as unknown as {
    connectionParameters: { options?: string };
  };
  return connectionParameters.options?.includes(`role=${role} `) ?? false;
}

/** Waits until the server has noticed: it then has rolled back what was not committed. */
async function gone(watch: pg.Pool, backend: number): Promise<void> {
  for (;;) {
    const { rows } = await watch.query('SELECT FROM pg_stat_activity WHERE pid = $1', [backend]);
    if (rows.length === 0) return;
  }
}
