import 'server-only';
import type { LedgerOutcome, ReadOutcome } from '#lib/providers/outcome.ts';
import type { Timing } from '#lib/begin-check/begin-check.ts';
import type { Claim } from './claim.ts';
import type { SendOrder } from './one-step.ts';
import type { MovementRow } from './row.ts';

export type SendTask = Extract<Claim, { movement: MovementRow }>;

/** What a feature hands to the worker: how its kind of movement is sent and queried. */
export type MovementKind = {
  /** The stored name, as in the table of `kinds.ts`. */
  name: string;
  /** SHA-256 of the request: every send of one ext id has the same (docs/money-rules.md, I4). */
  requestHash(movement: MovementRow): string;
  /** The order of effects of one send. */
  order: (task: SendTask, timing: Timing) => SendOrder<SendTask>;
  /** The query before and after the request; does nothing for kinds without one. */
  query(movement: MovementRow): Promise<unknown>;
  /** At most one request; the order of effects turns its answer into an outcome. */
  send(movement: MovementRow, beforeWrite: () => boolean): Promise<unknown>;
  read(movement: MovementRow): Promise<ReadOutcome>;
  ledger(movement: MovementRow): Promise<LedgerOutcome>;
};

/** The kinds that a worker can send, by name; rows of other kinds are left to other workers. */
export type WorkerKinds = Readonly<Record<string, MovementKind>>;

export function workerKinds(kinds: readonly MovementKind[]): WorkerKinds {
  return Object.fromEntries(kinds.map((kind) => [kind.name, kind]));
}

/** @throws Error for a kind that this worker does not know; it claims none of those */
export function workerKind(kinds: WorkerKinds, movement: Pick<MovementRow, 'kind'>): MovementKind {
  const kind = kinds[movement.kind];
  if (!kind) throw new Error(`unknown movement kind ${movement.kind}`);
  return kind;
}
