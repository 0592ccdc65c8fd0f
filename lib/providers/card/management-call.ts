/** Card-management calls: requests that change something and move no money. Pure. */
import * as z from 'zod';
import { parseJson } from '../json.ts';
import type { Exchange, NoReply } from '../outcome.ts';
import type { CardCodes } from './codes.ts';
import { readReply } from './reply.ts';

/**
 * `refused` carries the gateway's code: this request did nothing. After `no_answer`, an unknown
 * code included, it may or may not have been done: read the current state, then decide.
 */
export type ManagementOutcome<T> =
  | { kind: 'done'; value: T }
  | { kind: 'refused'; code: string }
  | { kind: 'not_found' }
  | NoReply;

/**
 * HTTP status of the framework's own validation response, which has no `status_code` (`published`
 * for installments, commissions and saveCard).
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

/** Whether this is a refusal by the gateway with one of these codes. */
export function hasCode(
  reply: { kind: string; code?: string },
  codes: ReadonlySet<string>,
): reply is NoReply & { code: string } {
  return reply.kind === 'no_answer' && reply.code !== undefined && codes.has(reply.code);
}

function isValidation(exchange: Exchange): boolean {
  if (exchange.kind !== 'response' || exchange.status !== VALIDATION) return false;
  const json = parseJson(exchange.body);
  return json.ok && validationForm.safeParse(json.value).success;
}
