// zod's small build: this page needs nothing else of zod.
import * as z from 'zod/mini';
import type { MovementView } from '#lib/movement-views/view-model.ts';

/**
 * Reads the payout again. Only the outline of the response is validated: details of a newer version
 * are ignored, and a page that cannot read the response says that it is outdated instead of
 * guessing about money.
 */
export type ReadProblem = 'signed_out' | 'database' | 'outdated' | 'unreachable';

export class MovementNotRead extends Error {
  readonly problem: ReadProblem;

  constructor(problem: ReadProblem) {
    super(problem);
    this.name = 'MovementNotRead';
    this.problem = problem;
  }
}

const observation = z.nullable(
  z.object({ says: z.string(), why: z.nullable(z.string()), at: z.string(), times: z.number() }),
);

const answer = z.looseObject({
  id: z.string(),
  extId: z.string(),
  state: z.string(),
  returned: z.string(),
  amount: z.string(),
  currency: z.string(),
  now: z.string(),
  name: z.string(),
  payee: z.string(),
  kind: z.string(),
  createdAt: z.string(),
  nextLookAt: z.nullable(z.string()),
  timeline: z.array(
    z.looseObject({
      at: z.string(),
      source: z.string(),
      kind: z.string(),
      from: z.string(),
      to: z.string(),
    }),
  ),
  observations: z.object({
    answer: observation,
    record: observation,
    ledger: observation,
    notice: observation,
  }),
  raw: z.array(z.object({ at: z.string(), source: z.string(), text: z.string() })),
  decided: z.object({
    given: z.array(
      z.looseObject({
        by: z.string(),
        at: z.string(),
        overrideReason: z.nullable(z.string()),
      }),
    ),
    sentBack: z.nullable(z.looseObject({ by: z.string(), at: z.string(), reason: z.string() })),
  }),
  can: z.object({
    decide: z.boolean(),
    ask: z.boolean(),
    cancel: z.boolean(),
    payAgain: z.boolean(),
    acknowledge: z.boolean(),
  }),
  closing: z.nullable(z.looseObject({ claims: z.array(z.string()), from: z.string() })),
  statements: z.nullable(
    z.looseObject({
      standing: z.string(),
      words: z.array(z.looseObject({ by: z.string(), at: z.string() })),
    }),
  ),
});

/** @throws MovementNotRead */
export async function readMovementAgain(id: string, signal: AbortSignal): Promise<MovementView> {
  const response = await fetch(`/api/movements/${id}`, { signal, cache: 'no-store' }).catch(
    (error: unknown) => {
      if (signal.aborted) throw error;
      throw new MovementNotRead('unreachable');
    },
  );
  if (response.status === 401) throw new MovementNotRead('signed_out');
  if (response.status === 503) throw new MovementNotRead('database');
  if (!response.ok) throw new MovementNotRead(response.status === 404 ? 'outdated' : 'unreachable');
  const parsed = answer.safeParse(await response.json().catch(() => null));
  if (!parsed.success) throw new MovementNotRead('outdated');
  return parsed.data as unknown as MovementView;
}
