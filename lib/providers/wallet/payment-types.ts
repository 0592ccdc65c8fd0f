import 'server-only';
import * as z from 'zod';
import type { Reply } from '../outcome.ts';
import type { Line } from './connection.ts';
import { readReply } from './reply.ts';
import { enumText } from './wire.ts';
import type { PaymentType } from './types.ts';

const paymentTypes = z.array(
  z
    .object({
      code: z.string().min(1).max(10),
      description: z.string(),
      extra_description_min_length: enumText
        .transform(Number)
        .pipe(z.number().int().min(0).max(10_000)),
    })
    .transform((record): PaymentType => ({
      code: record.code,
      description: record.description,
      descriptionMin: record.extra_description_min_length,
    })),
);

/**
 * The purposes a payment may have, with the minimum description length of each. The provider may
 * change the list at any time.
 */
export async function getPaymentTypes(
  line: Line,
  locale: 'tr' | 'en',
): Promise<Reply<PaymentType[]>> {
  return readReply(
    await line.ask({ method: 'GET', path: '/v1/Transaction/GetPaymentTypes', locale }),
    paymentTypes,
  );
}
