import 'server-only';
import { setTimeout as pause } from 'node:timers/promises';
import { errorFields, log } from '#lib/log.ts';
import type { LedgerOutcome, ReadOutcome, SendOutcome } from '#lib/providers/outcome.ts';
import { claimDue, recordHeard } from './claim.ts';
import type { Claim, ClaimOptions, Heard } from './claim.ts';
import { oneStep } from './one-step.ts';
import type { Effect } from './one-step.ts';
import type { MovementRow } from './row.ts';

/** What one kind of movement needs from its provider. */
export type Rail = {
  send(movement: MovementRow, beforeWrite: () => boolean): Promise<SendOutcome>;
  read(movement: MovementRow): Promise<ReadOutcome>;
  ledger(movement: MovementRow): Promise<LedgerOutcome>;
};

/** `beforeSend`: resolves true when everything is in order for a claimed send to leave; otherwise it goes back unsent. */
export type Ports = Omit<ClaimOptions, 'rails'> & { rails: Record<string, Rail>; monotonicNow: () => number; beforeSend?: (movement: MovementRow) => Promise<boolean> };

const HELD_BACK: SendOutcome = { kind: 'not_sent', why: 'held_back', raw: null, code: null, message: null };

type Task = Extract<Claim, { movement: MovementRow }>;
type Nothing = Exclude<Claim, Task>;

/** Moved: look again at once. At rest: nothing was due; `dueInMs` says when something will be, if that is soon. */
export type Advanced = { kind: 'moved' } | { kind: 'at_rest'; dueInMs: number | null };

/** The only mover: first try, retry and recovery of every movement are this one path. */
export async function advanceOne(ports: Ports): Promise<Advanced> {
  const step = oneStep<Task, Nothing>(() => ({ monotonic: ports.monotonicNow(), wall: Date.now() }));
  let next = step.next();
  while (!next.done) {
    const done = await carryOut(ports, next.value).then((value) => ({ value }), (error: unknown) => ({ error }));
    next = 'error' in done ? step.throw(done.error) : step.next(done.value);
  }
  return next.value.kind === 'nothing_due' ? { kind: 'at_rest', dueInMs: next.value.dueInMs } : { kind: 'moved' };
}

async function carryOut(ports: Ports, effect: Effect<Task>): Promise<unknown> {
  switch (effect.kind) {
    case 'claim':
      return claimDue(ports);
    case 'ask':
      return ask(ports, effect.task, effect.mayWrite);
    case 'record':
      return write(ports, effect.task, effect.heard);
    case 'rest':
      return pause(effect.ms);
  }
}

async function ask(ports: Ports, { kind, movement }: Task, mayWrite: () => boolean): Promise<Heard> {
  const rail = ports.rails[movement.rail];
  if (!rail) throw new Error(`no rail ${movement.rail}`);
  switch (kind) {
    case 'send':
      return { witness: 'answer', kind: 'answer', outcome: (await ports.beforeSend?.(movement)) === false ? HELD_BACK : await rail.send(movement, mayWrite) };
    case 'read':
      return { witness: 'read', kind: 'read', outcome: await rail.read(movement) };
    case 'ledger':
      return { witness: 'ledger', kind: 'ledger', outcome: await rail.ledger(movement) };
  }
}

async function write(ports: Ports, claim: Task, evidence: Heard): Promise<void> {
  try {
    const after = await recordHeard(ports, claim, evidence);
    log.info('movement', { movement: claim.movement.id, step: evidence.kind, state: claim.movement.state, to: after.state });
  } catch (error) {
    log.warn('evidence not recorded yet', { movement: claim.movement.id, ...errorFields(error) });
    throw error;
  }
}
