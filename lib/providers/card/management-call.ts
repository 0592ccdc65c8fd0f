/** Errands: requests that change something and move no money. Pure. */
import * as z from 'zod';
import { parseJson } from '../json.ts';
import type { Exchange, NoReply } from '../outcome.ts';
import type { CardCodes } from './codes.ts';
import { readReply } from './reply.ts';

/**
 * `refused` names the gateway's code: nothing was done by this request. After `no_answer` nobody
 * knows whether it was done, an unknown code included: ask for what is there now, then decide.
 */
export type ManagementOutcome<T> =
  | { kind: 'done'; value: T }
  | { kind: 'refused'; code: string }
  | { kind: 'not_found' }
  | NoReply;

/**
 * Validation in the framework's own form, which has no code of ours (`published` for installments,
 * commissions and saveCard).
 */
const VALIDATION = 422;
const validationForm = z.object({
  errors: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
});

export function readManagementAnswer<T>(
  exchange: Exchange,
  schema: z.ZodType<T>,
  codes: CardCodes,
  refused: ReadonlySet<string>,
): ManagementOutcome<T> {
  const reply = readReply(exchange, schema, codes);
  if (reply.kind === 'answered') return { kind: 'done', value: reply.value };
  if (hasCode(reply, refused)) return { kind: 'refused', code: reply.code };
  return isValidation(exchange) ? { kind: 'refused', code: String(VALIDATION) } : reply;
}

/** Whether this is the gateway's refusal to say, with one of these codes. */
export function hasCode(
  reply: { kind: string; code?: string },
  codes: ReadonlySet<string>,
): reply is NoReply & { code: string } {
  return reply.kind === 'no_answer' && reply.code !== undefined && codes.has(reply.code);
}

function isValidation(exchange: Exchange): boolean {
  if (exchange.kind !== 'heard' || exchange.status !== VALIDATION) return false;
  const json = parseJson(exchange.body);
  return json.ok && validationForm.safeParse(json.value).success;
}
