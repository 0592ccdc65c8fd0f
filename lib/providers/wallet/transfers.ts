import 'server-only';
import type { ReadOutcome, SendOutcome } from '../outcome.ts';
import { classifyTransfer } from './classify-transfer.ts';
import { askSummary } from './ledger.ts';
import { searchTransfer } from './ledger-search.ts';
import type { Line, Sending } from './connection.ts';
import { transferBody } from './transfer-body.ts';
import type { DateRange, TransferContent, TransferExpected, TransferKind } from './types.ts';

const PATHS = {
  person: '/v1/Transaction/BusinessToPersonalTransfer',
  business: '/v1/Transaction/BusinessToBusinessTransfer',
  own: '/v1/Transaction/TransferToVirement',
} as const satisfies Record<TransferKind, string>;

/**
 * Sends one transfer, at most one request; times and `beforeWrite` as for `sendPayout`. A person's
 * wallet number comes from `findPersonalWallet`. Never throws for network errors.
 * @throws RangeError for an amount that is not positive.
 */
export async function sendTransfer(
  line: Line,
  kind: TransferKind,
  content: TransferContent,
  options: Sending,
): Promise<SendOutcome> {
  const body = transferBody(kind, content);
  return classifyTransfer(await line.send({ path: PATHS[kind], body, ...options }), content);
}

/**
 * Reads the ledger entry of our ext id: the only source that makes a transfer final, because no
 * webhook is documented for transfers.
 */
export async function readTransfer(
  line: Line,
  expected: TransferExpected,
  range: DateRange,
): Promise<ReadOutcome> {
  const search = searchTransfer(expected, range);
  let step = search.next();
  while (!step.done) step = search.next(await askSummary(line, step.value));
  return step.value;
}
