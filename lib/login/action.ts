import 'server-only';
import { randomUUID } from 'node:crypto';
import { unstable_rethrow } from 'next/navigation';
import type { Person } from '#lib/access/actor.ts';
import { noteNotAllowed } from '#lib/audit/note-not-allowed.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { inStep } from '#lib/runtime/trace.ts';
import { fromOwnOrigin } from '#lib/runtime/origin.ts';
import { NotAllowed, Refusal } from '#lib/access/refusal.ts';
import type { ActionProblem } from './action-state.ts';
import { currentPerson } from './session.ts';

/**
 * The single entry point for form actions: origin → session → the action (which checks the role and
 * the input) → form state. A redirect passes through. Nothing is thrown at the browser: an
 * unexpected error becomes an id that is in the log. Attempts that the role does not permit are
 * audited.
 */
export async function moneyAction<T>(
  verb: (actor: Person) => Promise<T>,
): Promise<T | ActionProblem> {
  if (!(await fromOwnOrigin())) return { kind: 'refused', code: 'origin', params: {} };
  let actor: Person | null = null;
  try {
    actor = await currentPerson();
    if (!actor) return { kind: 'signed_out' };
    const person = actor;
    return await inStep({ name: 'press' }, () => verb(person));
  } catch (error) {
    unstable_rethrow(error);
    if (actor && error instanceof NotAllowed) await noteNotAllowed(actor, error.permission);
    return problemOf(error);
  }
}

export function problemOf(error: unknown): ActionProblem {
  if (error instanceof Refusal) return { kind: 'refused', code: error.code, params: error.params };
  const errorId = randomUUID();
  log.error('action failed', { errorId, ...errorFields(error) });
  return { kind: 'failed', errorId };
}
