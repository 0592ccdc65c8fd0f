import 'server-only';
import * as z from 'zod';
import type { Reply } from '../outcome.ts';
import type { Line } from './connection.ts';
import { readReply } from './reply.ts';
import { accessLevel, codeOrNull, enumTextOrNull, flag, id, idOrNull, textOrNull } from './wire.ts';
import type { BusinessAccount } from './types.ts';

const account = z
  .object({
    id,
    tenant_id: idOrNull,
    parent_business_account_id: idOrNull,
    name: z.string(),
    alias: textOrNull,
    account_number: idOrNull,
    ext_account_number: idOrNull,
    business_type: enumTextOrNull,
    kyc_level: codeOrNull,
    owner_user_id: idOrNull,
    contact_address_contact_first_name: textOrNull,
    contact_address_contact_last_name: textOrNull,
    contact_address_contact_email: textOrNull,
    contact_address_contact_phone: codeOrNull,
    contact_address_address_line1: textOrNull,
    contact_address_address_line2: textOrNull,
    contact_address_zip_postal_code: codeOrNull,
    contact_address_state_province_code: codeOrNull,
    contact_address_country_code: codeOrNull,
    tax_office: textOrNull,
    tax_number: idOrNull,
    sector_id: codeOrNull,
    group_code: codeOrNull,
    access_level_status_id: enumTextOrNull,
    is_account_locked: flag,
    is_hidden: flag,
    created_date_utc: textOrNull,
    updated_date_utc: textOrNull,
  })
  .transform((record): BusinessAccount => ({
    id: record.id,
    tenantId: record.tenant_id,
    parentAccountId: record.parent_business_account_id,
    name: record.name,
    alias: record.alias,
    accountNumber: record.account_number,
    extAccountNumber: record.ext_account_number,
    businessType: record.business_type,
    kycLevel: record.kyc_level,
    ownerUserId: record.owner_user_id,
    contact: {
      firstName: record.contact_address_contact_first_name,
      lastName: record.contact_address_contact_last_name,
      email: record.contact_address_contact_email,
      phone: record.contact_address_contact_phone,
      address: [record.contact_address_address_line1, record.contact_address_address_line2].filter(
        (line) => line !== null,
      ),
      postalCode: record.contact_address_zip_postal_code,
      province: record.contact_address_state_province_code,
      country: record.contact_address_country_code,
    },
    taxNumber: record.tax_number,
    taxOffice: record.tax_office,
    sectorId: record.sector_id,
    groupCode: record.group_code,
    locked: record.is_account_locked,
    hidden: record.is_hidden,
    access: accessLevel(record.access_level_status_id),
    accessLevel: record.access_level_status_id,
    createdAt: record.created_date_utc,
    updatedAt: record.updated_date_utc,
  }));

/** The business account the token belongs to (`contract`: empty object as body). */
export async function getBusinessAccount(line: Line): Promise<Reply<BusinessAccount>> {
  return readReply(await line.ask({ path: '/v1/Account/GetBusinessAccount', body: '{}' }), account);
}
