import { checkIban, maskIban, shownIban } from '#lib/values/iban.ts';

/** An account as shown: an IBAN in groups or a wallet number, masked where required. Pure. */
export type Account = { shown: string; kind: 'iban' | 'wallet'; bankName: string | null };

const WALLET_VISIBLE = 4;

export function accountOf(number: string, whole: boolean): Account {
  const check = checkIban(number);
  if (check.kind === 'ok' || number.startsWith('TR'))
    return {
      shown: shownIban(whole ? number : maskIban(number)),
      kind: 'iban',
      bankName: check.kind === 'ok' ? check.bankName : null,
    };
  return {
    shown: whole ? number : `…${number.slice(-WALLET_VISIBLE)}`,
    kind: 'wallet',
    bankName: null,
  };
}
