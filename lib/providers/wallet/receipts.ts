import 'server-only';
import * as z from 'zod';
import { LIST_MAX_BYTES } from './connection.ts';
import type { Line } from './connection.ts';
import { receiptBytes } from './receipt-bytes.ts';
import { readReply } from './reply.ts';
import { transactionNumber } from './wire.ts';
import type { ReceiptAnswer } from './types.ts';

/** `content_type` is ignored: samples contradict it (`contract`), the bytes decide. */
const receipt = z.object({ data: z.string().nullish() });

/**
 * `transactionId` is the ledger's id (`contract`: a number). `not_ready` until the ledger lists the
 * transaction.
 */
export async function getReceipt(line: Line, transactionId: string): Promise<ReceiptAnswer> {
  const reply = readReply(
    await line.ask({
      path: '/v1/TransactionData/TransactionReceipt',
      body: JSON.stringify({ id: transactionNumber(transactionId) }),
      answerMaxBytes: LIST_MAX_BYTES,
    }),
    receipt,
  );
  switch (reply.kind) {
    case 'not_found':
      return { kind: 'not_ready' };
    case 'no_answer':
      return reply.why === 'shape'
        ? { kind: 'unusable', why: 'shape' }
        : reply.why === 'too_large'
          ? { kind: 'unusable', why: 'too_large' }
          : reply;
    case 'answered':
      return receiptBytes(reply.value.data ?? '');
  }
}
