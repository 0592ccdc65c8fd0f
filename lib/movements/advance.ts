import 'server-only';
import { setTimeout as pause } from 'node:timers/promises';
import { errorFields, log } from '#lib/log.ts';
import type { LedgerOutcome, ReadOutcome, SendOutcome } from '#lib/providers/outcome.ts';
import { claimDue, recordHeard } from './claim.ts';
import type { Claim, ClaimOptions, Heard } from './claim.ts';
import { mayStillBegin } from './claim-rules.ts';
import type { MovementRow } from './row.ts';

/** What one kind of movement needs from its provider. */
export type Rail = {
  send(movement: MovementRow, beforeWrite: () => boolean): Promise<SendOutcome>;
  read(movement: MovementRow): Promise<ReadOutcome>;
  ledger(movement: MovementRow): Promise<LedgerOutcome>;
};

/** `beforeSend`: resolves true when everything is in order for a claimed send to leave; otherwise it goes back unsent. */
export type Ports = Omit<ClaimOptions, 'rails'> & { rails: Record<string, Rail>; monotonicNow: () => number; beforeSend?: () => Promise<boolean> };

const RECORD_RETRY_MS = [50, 200, 1_000, 3_000, 5_000, 10_000];

const HELD_BACK: SendOutcome = { kind: 'not_sent', why: 'held_back', raw: null, code: null, message: null };

type Task = Extract<Claim, { movement: MovementRow }>;

/** Moved: look again at once. At rest: nothing was due; `dueInMs` says when something will be, if that is soon. */
export type Advanced = { kind: 'moved' } | { kind: 'at_rest'; dueInMs: number | null };

/** The only mover: first try, retry and recovery of every movement are this one path. */
export async function advanceOne(ports: Ports): Promise<Advanced> {
  const inTime = startClock(ports);
  const claim = await claimDue(ports);
  if (claim.kind === 'nothing_due') return { kind: 'at_rest', dueInMs: claim.dueInMs };
  if (claim.kind !== 'settled') await recordUntilHeld(ports, claim, await ask(ports, claim, inTime));
  return { kind: 'moved' };
}

function startClock({ monotonicNow }: Ports): () => boolean {
  const clocks = () => ({ monotonic: monotonicNow(), wall: Date.now() });
  const began = clocks();
  return () => mayStillBegin(began, clocks());
}

async function ask(ports: Ports, { kind, movement }: Task, inTime: () => boolean): Promise<Heard> {
  const rail = ports.rails[movement.rail];
  if (!rail) throw new Error(`no rail ${movement.rail}`);
  switch (kind) {
    case 'send':
      return { witness: 'answer', kind: 'answer', outcome: (await ports.beforeSend?.()) === false ? HELD_BACK : await rail.send(movement, inTime) };
    case 'read':
      return { witness: 'read', kind: 'read', outcome: await rail.read(movement) };
    case 'ledger':
      return { witness: 'ledger', kind: 'ledger', outcome: await rail.ledger(movement) };
  }
}

/** The answer is worth more than the attempt: a database that is away for a moment is tried again before it is given up. */
async function recordUntilHeld(ports: Ports, claim: Task, evidence: Heard): Promise<void> {
  for (const wait of [...RECORD_RETRY_MS, null]) {
    try {
      const after = await recordHeard(ports, claim, evidence);
      log.info('movement', { movement: claim.movement.id, step: evidence.kind, state: claim.movement.state, to: after.state });
      return;
    } catch (error) {
      log.warn('evidence not recorded yet', { movement: claim.movement.id, ...errorFields(error) });
      if (wait === null) throw error;
      await pause(wait);
    }
  }
}
