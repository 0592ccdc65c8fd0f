import { CLOSED } from './accounts.ts';
import { failedTopUpNotice, flatTopUpNotice, topUpNotice } from './bank/notice.ts';
import type { BankMessage } from './bank/notice.ts';
import { anyWallet, mayTopUp, topUpWallet } from './books.ts';
import type { Wallet } from './books.ts';
import { minorUnits, rawAmount } from './exact-json.ts';
import { makeIban } from './iban.ts';
import { newId } from './ids.ts';
import { json } from './wallet-api/answer.ts';
import type { Answer } from './wallet-api/answer.ts';
import { walletRecord } from './wallet-api/records.ts';
import type { World } from './world.ts';

/**
 * Loads money into a wallet by bank transfer and queues the notification of its success or failure.
 */

const BY_BANK_TRANSFER = 1004;
/** The transaction types of a top-up by bank transfer: both codes are published. */
const TYPES = [1001, BY_BANK_TRANSFER];
const MOST = 100_000_000_000n;
const RECEIPT_DIGITS = 12;

const bad = (error: string, status = 400): Answer => json(status, { error });
const textOr = (value: unknown, otherwise: string): string =>
  typeof value === 'string' ? value : otherwise;

/**
 * Returns why the money cannot be loaded: no such wallet (a closed wallet counts as none), a
 * receipt number used before, or a limit of the wallet; null when it can.
 */
function failureOf(
  world: World,
  wallet: Wallet | null,
  amount: bigint,
  receiptNo: string,
): { code: string; why: string } | null {
  if (!wallet || wallet.access === CLOSED) return { code: '300', why: 'Cüzdan bulunamadı.' };
  if (world.store.get('SELECT 1 AS hit FROM bank_receipts WHERE no = ?', receiptNo))
    return { code: '301', why: 'Banka dekont numarası daha önce kullanılmış.' };
  return mayTopUp(wallet, amount) ? null : { code: '310', why: 'Limit yetersiz.' };
}

/**
 * Tops up a wallet. Body: {amount, sender_name?, sender_iban?, description?, bank_receipt_no?,
 * transaction_type_id?: 1001 or 1004}
 */
export function topUp(world: World, number: string, fields: Record<string, unknown>): Answer {
  const amount = minorUnits(String(fields.amount ?? ''));
  if (amount === null || amount < 1n || amount > MOST)
    return bad('"amount" must be a decimal above 0 such as "2500.00"');
  const typeId = fields.transaction_type_id ?? BY_BANK_TRANSFER;
  if (!TYPES.includes(typeId as number))
    return bad(`"transaction_type_id" must be one of ${TYPES.join(', ')}`);
  const wallet = anyWallet(world, number);
  const id = newId();
  const receiptNo = textOr(fields.bank_receipt_no, id.slice(-RECEIPT_DIGITS));
  const failure = failureOf(world, wallet, amount, receiptNo);
  if (!wallet || failure) {
    const { code, why } = failure ?? { code: '300', why: '' };
    const found = code === '300' ? null : wallet;
    const description = typeof fields.description === 'string' ? fields.description : null;
    world.notices.queue({
      event: 'failed top-up',
      extId: null,
      body: failedTopUpNotice(code, why, {
        wallet: found?.number ?? '',
        amount,
        currency: wallet?.currency ?? 'TRY',
        description,
      }),
    });
    return bad(
      `refused with ${code}; a failed top-up notification was sent`,
      code === '300' ? 404 : 409,
    );
  }
  const message: BankMessage = {
    receiptNo,
    name: textOr(fields.sender_name, 'Marmara Giyim Mağazacılık A.Ş.'),
    iban: textOr(fields.sender_iban, makeIban('00062', '00000009110042')),
    description: textOr(fields.description, 'Sipariş ödemesi'),
  };
  load(world, wallet, id, amount, typeId as number, message);
  return json(200, { id, wallet_number: number, amount: rawAmount(amount) });
}

function load(
  world: World,
  wallet: Wallet,
  id: string,
  amount: bigint,
  typeId: number,
  message: BankMessage,
): void {
  const at = world.clock.now();
  topUpWallet(world, wallet.number, amount, at);
  world.store.run('INSERT INTO bank_receipts (no) VALUES (?)', message.receiptNo);
  world.store.run(
    `INSERT INTO movements (id, kind, type_id, state, status_id, from_wallet, to_wallet, amount,
      fee, currency, ext_id, request_id, ref_id,
       description, other_name, other_iban, created_at, completed_at, listed_at, receipt_no)
         VALUES (?, 'topup', ?, 'posted', 20, NULL, ?, ?, 0, ?, NULL, NULL, NULL, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    typeId,
    wallet.number,
    amount,
    wallet.currency,
    message.description,
    message.name,
    message.iban,
    at,
    at,
    at,
    message.receiptNo,
  );
  const movement = world.store.get('SELECT * FROM movements WHERE id = ?', id);
  if (!movement) throw new Error(`no movement ${id}`);
  const body =
    world.questions.topup_notice === 'flat'
      ? flatTopUpNotice(
          movement,
          wallet,
          message,
          walletRecord(world, anyWallet(world, wallet.number) ?? wallet),
        )
      : topUpNotice(movement, wallet, message);
  world.notices.queue({ event: 'top-up', extId: null, body });
}
