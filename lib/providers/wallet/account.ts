import 'server-only';
import * as z from 'zod';
import type { Reply } from '../outcome.ts';
import type { Line } from './line.ts';
import { readReply } from './reply.ts';
import { enumTextOrNull, flag, id, idOrNull, textOrNull } from './wire.ts';
import type { BusinessAccount } from './words.ts';

const account = z
  .object({
    id,
    name: z.string(),
    alias: textOrNull,
    account_number: idOrNull,
    tax_number: idOrNull,
    tax_office: textOrNull,
    kyc_level: textOrNull,
    is_account_locked: flag,
    access_level_status_id: enumTextOrNull,
  })
  .transform((record): BusinessAccount => ({
    id: record.id,
    name: record.name,
    alias: record.alias,
    accountNumber: record.account_number,
    taxNumber: record.tax_number,
    taxOffice: record.tax_office,
    kycLevel: record.kyc_level,
    locked: record.is_account_locked,
    accessLevel: record.access_level_status_id,
  }));

/** The business account the token belongs to (`contract`: empty object as body). */
export async function getBusinessAccount(line: Line): Promise<Reply<BusinessAccount>> {
  return readReply(await line.ask({ path: '/v1/Account/GetBusinessAccount', body: '{}' }), account);
}
