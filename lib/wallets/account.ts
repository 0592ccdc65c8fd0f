import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { once, soon } from '#lib/runtime/short-lived-cache.ts';
import { walletClient } from '#lib/providers/wallet/configured-client.ts';
import type { BusinessAccount, WalletAccess } from '#lib/providers/wallet/types.ts';
import { maskTaxNumber } from '#lib/values/tax-number.ts';
import { ledgerInstant } from '#lib/values/ledger-instant.ts';
import { maskEmail, maskPhone } from '#lib/values/mask-contact.ts';

/** Several open tabs share one request. */
const SHARED_MS = 5_000;

/**
 * The business account as shown to a person. Times are ISO; null where the provider gave no value.
 */
export type AccountView = {
  id: string;
  number: string | null;
  extNumber: string | null;
  parentId: string | null;
  tenantId: string | null;
  name: string;
  alias: string | null;
  access: WalletAccess;
  /** The provider's number for the access level. */
  accessLevel: string | null;
  locked: boolean;
  hidden: boolean;
  /** The provider's word, for example Contracted. */
  kycLevel: string | null;
  businessType: string | null;
  sectorId: string | null;
  groupCode: string | null;
  taxOffice: string | null;
  taxNumber: string | null;
  contact: {
    name: string | null;
    email: string | null;
    phone: string | null;
    address: string | null;
  };
  createdAt: string | null;
  updatedAt: string | null;
  /** Numbers and contact data are masked for a role that does not need them. */
  masked: boolean;
};

/** The account that the provider's token belongs to; null without a response. */
export async function viewAccount(actor: Person): Promise<AccountView | null> {
  assertMay(actor, 'wallet.read');
  const answer = await soon(once('account', SHARED_MS, () => walletClient().getBusinessAccount()));
  return answer?.kind === 'answered' ? toView(answer.value, may(actor.role, 'payee.read')) : null;
}

/**
 * Whether the account as a whole is blocked or locked, whatever the state of its wallets.
 */
export function isAccountStopped(account: Pick<AccountView, 'access' | 'locked'>): boolean {
  return account.locked || account.access !== 'active';
}

function toView(account: BusinessAccount, whole: boolean): AccountView {
  const { contact } = account;
  const shown = (text: string | null, mask: (text: string) => string): string | null =>
    text === null || whole ? text : mask(text);
  const place = [contact.postalCode, contact.province, contact.country]
    .filter((part) => part !== null)
    .join(' ');
  return {
    id: account.id,
    number: account.accountNumber,
    extNumber: account.extAccountNumber,
    parentId: account.parentAccountId,
    tenantId: account.tenantId,
    name: account.name,
    alias: account.alias,
    access: account.access,
    accessLevel: account.accessLevel,
    locked: account.locked,
    hidden: account.hidden,
    kycLevel: account.kycLevel,
    businessType: account.businessType,
    sectorId: account.sectorId,
    groupCode: account.groupCode,
    taxOffice: account.taxOffice,
    taxNumber: shown(account.taxNumber, maskTaxNumber),
    contact: {
      name: [contact.firstName, contact.lastName].filter((part) => part !== null).join(' ') || null,
      email: shown(contact.email, maskEmail),
      phone: shown(contact.phone, maskPhone),
      address: [...contact.address, place].filter((line) => line !== '').join('\n') || null,
    },
    createdAt: ledgerInstant(account.createdAt),
    updatedAt: ledgerInstant(account.updatedAt),
    masked: !whole,
  };
}
