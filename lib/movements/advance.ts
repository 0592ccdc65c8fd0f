import 'server-only';
import { counter } from '#lib/runtime/metrics.ts';
import { aboutMovement, inStep } from '#lib/runtime/trace.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { beginMovement } from './begin.ts';
import type { BeginPorts } from './begin.ts';
import { carriedOut } from './carry-out.ts';
import { claimDue, recordResponse, renewLease } from './claim.ts';
import type { Claim, ClaimOptions, ProviderResponse } from './claim.ts';
import type { Clocks } from './claim-rules.ts';
import { workerKind } from './kind.ts';
import type { MovementKind, SendTask } from './kind.ts';
import { oneStep } from './one-step.ts';
import type { Effect } from './one-step.ts';

export type Ports = ClaimOptions &
  BeginPorts & {
    monotonicNow: () => number;
    rest: (ms: number) => Promise<void>;
  };

const countState = counter(
  'dashboard_movement_states_total',
  'Changes of state that a worker recorded, by the kind of movement and the new state.',
);

type Task = SendTask;
type Nothing = Exclude<Claim, Task>;

/**
 * The result of one step. `moved`: a movement was worked on, so the caller looks for another one at
 * once. `at_rest`: no movement was due.
 */
export type Advanced = { kind: 'moved' | 'at_rest' };

/** The only code that advances a movement: first send, retry and recovery all take this path. */
export async function advanceOne(ports: Ports): Promise<Advanced> {
  const clocks = (): Clocks => ({ monotonic: ports.monotonicNow(), wall: Date.now() });
  const done = await inStep({ name: 'worker.step' }, () =>
    carriedOut(
      oneStep<Task, Nothing>(clocks, (task, timing) => kindOf(ports, task).order(task, timing)),
      (effect) => carryOut(ports, effect),
    ),
  );
  return { kind: done.kind === 'nothing_due' ? 'at_rest' : 'moved' };
}

async function carryOut(ports: Ports, effect: Effect<Task>): Promise<unknown> {
  switch (effect.kind) {
    case 'claim':
      return traced(await claimDue(ports));
    case 'query':
      return kindOf(ports, effect.task).query(effect.task.movement);
    case 'begin':
      return beginMovement(ports.merchantId, ports, effect.task);
    case 'request':
      return kindOf(ports, effect.task).send(effect.task.movement, effect.mayWrite);
    case 'renew':
      return renewLease(ports, effect.task);
    case 'ask':
      return check(ports, effect.task);
    case 'record':
      return recordAndLog(ports, effect.task, effect.response);
    case 'rest':
      return ports.rest(effect.ms);
  }
}

/** The rest of the step belongs to the trace of the movement that was claimed. */
function traced(claim: Claim): Claim {
  if ('movement' in claim) aboutMovement(claim.movement, { step: claim.kind });
  return claim;
}

async function check(ports: Ports, task: Task): Promise<ProviderResponse> {
  const kind = kindOf(ports, task);
  if (task.kind === 'read')
    return { source: 'read', kind: 'read', outcome: await kind.read(task.movement) };
  return { source: 'ledger', kind: 'ledger', outcome: await kind.ledger(task.movement) };
}

function kindOf(ports: Ports, { movement }: Task): MovementKind {
  return workerKind(ports.kinds, movement);
}

async function recordAndLog(ports: Ports, claim: Task, evidence: ProviderResponse): Promise<void> {
  try {
    const after = await recordResponse(ports, claim, evidence);
    if (after.state !== claim.movement.state)
      countState({ kind: claim.movement.kind, state: after.state });
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
