import 'server-only';
import { errorFields, log } from '#lib/runtime/log.ts';
import type { LedgerOutcome, ReadOutcome } from '#lib/providers/outcome.ts';
import { beginMovement } from './begin.ts';
import type { BeginPorts } from './begin.ts';
import type { Timing } from '#lib/begin-check/begin-check.ts';
import { carriedOut } from './carry-out.ts';
import { claimDue, recordHeard, renewLease } from './claim.ts';
import type { Claim, ClaimOptions, Heard } from './claim.ts';
import type { Clocks } from './claim-rules.ts';
import { oneStep } from './one-step.ts';
import type { Effect, SendOrder } from './one-step.ts';
import type { MovementRow } from './row.ts';

/** The provider calls of one movement kind. */
export type Rail = {
  /** The order of effects of one send. */
  order: (task: SendTask, timing: Timing) => SendOrder<SendTask>;
  /** The query before and after the request; does nothing for kinds without one. */
  query(movement: MovementRow): Promise<unknown>;
  /** At most one request; the order of effects turns its answer into an outcome. */
  send(movement: MovementRow, beforeWrite: () => boolean): Promise<unknown>;
  read(movement: MovementRow): Promise<ReadOutcome>;
  ledger(movement: MovementRow): Promise<LedgerOutcome>;
};

export type Ports = Omit<ClaimOptions, 'rails'> &
  BeginPorts & {
    rails: Record<string, Rail>;
    monotonicNow: () => number;
    rest: (ms: number) => Promise<void>;
  };

type Task = Extract<Claim, { movement: MovementRow }>;
export type SendTask = Task;
type Nothing = Exclude<Claim, Task>;

/**
 * `moved`: check again at once. `at_rest`: nothing was due; `dueInMs` says when the next movement
 * is due, if that is soon.
 */
export type Advanced = { kind: 'moved' } | { kind: 'at_rest'; dueInMs: number | null };

/** The only code that advances a movement: first send, retry and recovery all take this path. */
export async function advanceOne(ports: Ports): Promise<Advanced> {
  const clocks = (): Clocks => ({ monotonic: ports.monotonicNow(), wall: Date.now() });
  const done = await carriedOut(
    oneStep<Task, Nothing>(clocks, (task, timing) => railOf(ports, task).order(task, timing)),
    (effect) => carryOut(ports, effect),
  );
  return done.kind === 'nothing_due'
    ? { kind: 'at_rest', dueInMs: done.dueInMs }
    : { kind: 'moved' };
}

async function carryOut(ports: Ports, effect: Effect<Task>): Promise<unknown> {
  switch (effect.kind) {
    case 'claim':
      return claimDue(ports);
    case 'query':
      return railOf(ports, effect.task).query(effect.task.movement);
    case 'begin':
      return beginMovement(ports.merchantId, ports, effect.task);
    case 'request':
      return railOf(ports, effect.task).send(effect.task.movement, effect.mayWrite);
    case 'renew':
      return renewLease(ports, effect.task);
    case 'ask':
      return check(ports, effect.task);
    case 'record':
      return recordResponse(ports, effect.task, effect.heard);
    case 'rest':
      return ports.rest(effect.ms);
  }
}

async function check(ports: Ports, task: Task): Promise<Heard> {
  const rail = railOf(ports, task);
  if (task.kind === 'read')
    return { witness: 'read', kind: 'read', outcome: await rail.read(task.movement) };
  return { witness: 'ledger', kind: 'ledger', outcome: await rail.ledger(task.movement) };
}

function railOf(ports: Ports, { movement }: Task): Rail {
  const rail = ports.rails[movement.rail];
  if (!rail) throw new Error(`unknown movement kind ${movement.rail}`);
  return rail;
}

async function recordResponse(ports: Ports, claim: Task, evidence: Heard): Promise<void> {
  try {
    const after = await recordHeard(ports, claim, evidence);
    log.info('movement', {
      movement: claim.movement.id,
      step: evidence.kind,
      state: claim.movement.state,
      to: after.state,
    });
  } catch (error) {
    log.warn('evidence not recorded yet', { movement: claim.movement.id, ...errorFields(error) });
    throw error;
  }
}
