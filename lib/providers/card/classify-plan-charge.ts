/** What the answer to recurring/plan/process proves. Pure. */
import type { Exchange } from '../outcome.ts';
import type { ErrandCodes } from './errand-codes.ts';
import { openEnvelope } from './wire.ts';
import type { NotApproved, Said } from './words.ts';

/** `approved`: the gateway says that the charge was carried out. It names no amount, so the plan has to be read in any case. */
export type PlanChargeOutcome = Said & ({ kind: 'approved' } | NotApproved);

/** Approved and refused only with HTTP 200 and a code of the table. Everything else that was heard is unclear: the card may have been charged. */
export function classifyPlanCharge(exchange: Exchange, codes: ErrandCodes): PlanChargeOutcome {
  const opened = openEnvelope(exchange);
  if (opened.kind === 'not_sent') return { kind: 'not_sent', why: opened.why, raw: null, code: null, message: null };
  if (opened.kind !== 'answer') return { ...(opened.kind === 'unclear' ? { kind: 'unclear', why: opened.why } : { kind: 'unauthorized' }), raw: opened.raw, code: null, message: null };
  const { raw, code, message } = opened;
  const said = { raw, code, message };
  if (opened.http !== 200) return { ...said, kind: 'unclear', why: 'http_status' };
  const meaning = codes.processPlan.get(code);
  switch (meaning) {
    case 'approved':
    case 'pending': return { ...said, kind: meaning };
    case 'refused':
    case 'look': return { ...said, kind: meaning, code };
    case undefined: return { ...said, kind: 'unclear', why: 'unknown_code' };
  }
}
