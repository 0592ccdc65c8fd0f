import { checkIban } from '#lib/values/iban.ts';
import { toDecimal } from '#lib/values/money.ts';
import { IBAN_COOLDOWN_MS } from '#lib/movements/kinds.ts';
import { checkTaxNumber } from '#lib/values/tax-number.ts';
import { mayPayFrom } from '#lib/wallets/may-pay-from.ts';
import type {
  FeeEstimate,
  Finding,
  FindingLevel,
  FindingValue,
  PayoutFacts,
} from '#lib/payment-checks/findings.ts';
import { recipientFindings } from '#lib/payment-checks/recipient-rules.ts';
import { descriptionLength } from '#lib/form-fields/money-form.ts';

/**
 * The payout rules: facts → findings. The form's live summary and the submitting verb both call
 * this function, so they agree. Deterministic (the order of `recent` does not matter) and total:
 * fields may be missing while a person is typing, and a missing field is not checked. Pure.
 */

export { FINDING_CODES } from '#lib/payment-checks/findings.ts';
export type {
  FeeEstimate,
  Finding,
  ForeignPayment,
  FindingCode,
  FindingLevel,
  PayoutFacts,
  SavedPayee,
  WalletAccess,
} from '#lib/payment-checks/findings.ts';

/**
 * Checks a payout. Findings come in the order of the summary: identity, wallet, money, text,
 * recipient, waiting.
 */
export function checkPayout(facts: PayoutFacts): Finding[] {
  return [
    ...identityFindings(facts),
    ...walletFindings(facts),
    ...moneyFindings(facts),
    ...descriptionFindings(facts),
    ...recipientFindings(facts),
    ...waitFindings(facts),
  ];
}

/** Codes of the findings that need a tick and a reason, without those ticked already. */
export function needsReason<Code extends string>(
  findings: readonly { code: Code; level: FindingLevel }[],
  overrides: readonly string[] = [],
): Code[] {
  const codes = findings
    .filter((finding) => finding.level === 'warn')
    .map((finding) => finding.code);
  return [...new Set(codes)].filter((code) => !overrides.includes(code));
}

/** The findings that no reason overrides. */
export function blocking<One extends { level: FindingLevel }>(findings: readonly One[]): One[] {
  return findings.filter((finding) => finding.level === 'block');
}

/**
 * The range of fees seen, with the number of samples. Only an estimate: no operation quotes a fee.
 */
export function feeEstimate(samples: readonly bigint[]): FeeEstimate | null {
  const [first, ...rest] = samples;
  if (first === undefined) return null;
  const min = rest.reduce((least, fee) => (fee < least ? fee : least), first);
  const max = rest.reduce((most, fee) => (fee > most ? fee : most), first);
  return { min, max, n: samples.length };
}

function identityFindings({ content }: PayoutFacts): Finding[] {
  const findings: Finding[] = [];
  if (content.iban !== undefined) {
    const check = checkIban(content.iban);
    if (check.kind === 'error')
      findings.push({ code: 'iban_invalid', level: 'block', field: 'iban', params: {} });
    else if (check.bankName === null)
      findings.push({
        code: 'iban_ok_bank_unknown',
        level: 'ok',
        field: 'iban',
        params: { bankCode: check.bankCode },
      });
    else
      findings.push({
        code: 'iban_ok',
        level: 'ok',
        field: 'iban',
        params: { bank: check.bankName },
      });
  }
  if (content.taxNumber !== undefined) {
    const check = checkTaxNumber(content.taxNumber);
    if (check.kind === 'error')
      findings.push({ code: 'tax_invalid', level: 'block', field: 'taxNumber', params: {} });
    else
      findings.push({
        code: 'tax_ok',
        level: 'ok',
        field: 'taxNumber',
        params: { type: check.type },
      });
  }
  return findings;
}

export function walletFindings({
  wallet,
  writtenCurrency,
}: Pick<PayoutFacts, 'wallet' | 'writtenCurrency'>): Finding[] {
  if (wallet === null) return [];
  const findings: Finding[] = [];
  const may = mayPayFrom(wallet.accessLevel);
  if (may.kind === 'no')
    findings.push({ code: `wallet_${may.why}`, level: 'block', field: 'wallet', params: {} });
  if (may.kind === 'unsure')
    findings.push({ code: 'wallet_status_unknown', level: 'warn', field: 'wallet', params: {} });
  // Only a warning: the wallet contract does not say that a payout must be in lira.
  if (wallet.currency !== 'TRY')
    findings.push({
      code: 'currency_not_try',
      level: 'info',
      field: 'wallet',
      params: { currency: wallet.currency },
    });
  if (writtenCurrency != null && writtenCurrency !== wallet.currency) {
    findings.push({
      code: 'other_currency',
      level: 'block',
      field: 'amount',
      params: { written: writtenCurrency, currency: wallet.currency },
    });
  }
  return findings;
}

export function moneyFindings({
  content: { amountMinor },
  wallet,
  fee,
  limitLeft,
}: Pick<PayoutFacts, 'content' | 'wallet' | 'fee' | 'limitLeft'>): Finding[] {
  if (wallet === null) return [];
  const { available, currency, limits } = wallet;
  const money = (amount: bigint): FindingValue => ({ money: toDecimal(amount), currency });
  const findings: Finding[] = [];
  if (available === null && wallet.unasked !== true)
    findings.push({ code: 'balance_unknown', level: 'block', field: 'wallet', params: {} });
  if (amountMinor === undefined) return findings;
  const left = available === null ? null : available - amountMinor;
  if (available !== null && left !== null && left < 0n) {
    findings.push({
      code: 'insufficient_balance',
      level: 'block',
      field: 'amount',
      params: { available: money(available), short: money(-left) },
    });
  } else if (left !== null && fee !== null && left < fee.max) {
    // Only a warning: the fee is an estimate, and the provider might accept the payout.
    findings.push({
      code: 'fee_may_not_fit',
      level: 'warn',
      field: 'amount',
      params: { left: money(left), feeMin: money(fee.min), feeMax: money(fee.max) },
    });
  }
  if (limits.withdrawal !== null && amountMinor > limits.withdrawal) {
    findings.push({
      code: 'limit_exceeded',
      level: 'block',
      field: 'amount',
      params: { limit: money(limits.withdrawal) },
    });
  } else if (limitLeft !== null && amountMinor > limitLeft) {
    findings.push({
      code: 'limit_left_exceeded',
      level: 'warn',
      field: 'amount',
      params: { left: money(limitLeft < 0n ? 0n : limitLeft) },
    });
  }
  return findings;
}

export function descriptionFindings({
  content,
  paymentType,
}: Pick<PayoutFacts, 'content' | 'paymentType'>): Finding[] {
  if (paymentType === null || content.description === undefined) return [];
  const have = descriptionLength(content.description);
  const need = paymentType.minDescription;
  if (have >= need) return [];
  return [
    {
      code: 'description_too_short',
      level: 'block',
      field: 'description',
      params: { have, need, more: need - have },
    },
  ];
}

/**
 * The provider refuses a second transfer to one IBAN within a minute (326), and our own first
 * request may cause that refusal.
 */
function waitFindings({ content, lastSendToIbanAt, now }: PayoutFacts): Finding[] {
  if (content.iban === undefined || lastSendToIbanAt === null) return [];
  const sinceMs = Date.parse(now) - Date.parse(lastSendToIbanAt);
  if (Number.isNaN(sinceMs)) return [];
  const seconds = Math.min(Math.ceil((IBAN_COOLDOWN_MS - sinceMs) / 1000), IBAN_COOLDOWN_MS / 1000);
  return seconds > 0
    ? [{ code: 'same_iban_wait', level: 'wait', field: 'iban', params: { seconds } }]
    : [];
}
