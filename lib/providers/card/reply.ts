/** Responses to requests that move no money. Pure. */
import type * as z from 'zod';
import type { Exchange, Reply } from '../outcome.ts';
import type { CardCodes } from './codes.ts';
import { openEnvelope, PAYMENT_ENVELOPE } from './wire.ts';
import type { EnvelopeNames } from './wire.ts';

const SUCCESS = '100';

/**
 * Reads the whole body with `schema` (read fields in `data` as `z.object({ data: … })`). A response
 * of another shape counts as no response, because a partial list would hide rows. `no_answer`
 * carries the code when the code is neither success nor "not found".
 */
export function readReply<T>(
  exchange: Exchange,
  schema: z.ZodType<T>,
  codes: CardCodes,
  names: EnvelopeNames = PAYMENT_ENVELOPE,
): Reply<T> {
  const opened = openEnvelope(exchange, names);
  if (opened.kind === 'unauthorized') return { kind: 'no_answer', why: 'unauthorized' };
  if (opened.kind !== 'answer') return { kind: 'no_answer', why: opened.why };
  if (opened.http === 200 && opened.code === SUCCESS) {
    const read = schema.safeParse(opened.body);
    return read.success
      ? { kind: 'answered', value: read.data }
      : { kind: 'no_answer', why: 'shape' };
  }
  if (opened.http !== 200) return { kind: 'no_answer', why: 'http_status', code: opened.code };
  return codes.notFound.has(opened.code)
    ? { kind: 'not_found' }
    : { kind: 'no_answer', why: 'unknown_code', code: opened.code };
}
