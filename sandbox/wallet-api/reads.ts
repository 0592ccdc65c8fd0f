import { walletOf } from '../books.ts';
import { compactIban } from '../iban.ts';
import { ACCOUNT_ID, ACCOUNT_NUMBER, MERCHANT, TENANT_ID } from '../seed/merchant.ts';
import { num, text } from '../store.ts';
import type { Row } from '../store.ts';
import type { World } from '../world.ts';
import { receiptOf } from '../receipts.ts';
import { refusal, success } from './answer.ts';
import type { Answer } from './answer.ts';
import { bind } from './fields.ts';
import type { Shape, Values } from './fields.ts';
import { Filter, PAGE_FIELDS, listPage } from './listing.ts';
import {
  ACCOUNT_KINDS,
  BUSINESS,
  CHANNEL,
  accountRecord,
  movementRecord,
  requestRecord,
  walletRecord,
} from './records.ts';

/** The operations that only read: none of them changes anything. */

const DAY_MS = 86_400_000;
const OWN = 'wallet_number IN (SELECT number FROM wallets WHERE account_id = ?)';

export function getBusinessAccount(world: World, body: string): Answer {
  const bound = bind(body, {}, true);
  return bound.ok ? success(accountRecord(world)) : bound.answer;
}

export function walletInfo(world: World, body: string): Answer {
  const bound = bind(body, { wallet_number: { kind: 'string', required: true } });
  if (!bound.ok) return bound.answer;
  const wallet = walletOf(world, ACCOUNT_ID, bound.values.text('wallet_number') ?? '');
  return wallet
    ? success({ wallet_info: walletRecord(world, wallet) })
    : refusal('300', 'Cüzdan bulunamadı.');
}

const WALLET_LIST: Shape = {
  ...PAGE_FIELDS,
  start_date: { kind: 'date' },
  end_date: { kind: 'date' },
  account_type_id: { kind: 'integer' },
  account_id: { kind: 'string' },
  account_number: { kind: 'string' },
  name: { kind: 'string' },
  currency_code: { kind: 'string' },
  kyc_level_code: { kind: 'string' },
  access_level_status_ids: { kind: 'integers' },
  wallet_number: { kind: 'string' },
  tax_number: { kind: 'string' },
  first_name: { kind: 'string' },
  last_name: { kind: 'string' },
  national_id: { kind: 'string' },
  min: { kind: 'decimal' },
  max: { kind: 'decimal' },
  is_deleted: { kind: 'boolean' },
  tenant_id: { kind: 'integer' },
};

export function walletList(world: World, body: string): Answer {
  const bound = bind(body, WALLET_LIST);
  if (!bound.ok) return bound.answer;
  const v = bound.values;
  const filter = new Filter()
    .add('account_id = ?', ACCOUNT_ID)
    .add('created_at >= ?', v.ms('start_date'))
    .add('created_at <= ?', v.ms('end_date'))
    .add('currency = ?', v.text('currency_code'))
    .add("name LIKE '%' || ? || '%'", v.text('name'))
    .add('number = ?', v.text('wallet_number'))
    .add('available + blocked >= ?', v.amount('min'))
    .add('available + blocked <= ?', v.amount('max'))
    // Every wallet here is a contracted business wallet of this one account.
    .only(v.text('account_id'), ACCOUNT_ID)
    .only(v.text('account_number'), ACCOUNT_NUMBER)
    .only(v.text('tax_number'), MERCHANT.taxNumber)
    .only(v.whole('account_type_id'), BUSINESS)
    .only(v.text('kyc_level_code'), '40', 'Contracted')
    .only(v.whole('tenant_id'), TENANT_ID)
    .only(v.flag('is_deleted'), false)
    .only(v.text('first_name'))
    .only(v.text('last_name'))
    .only(v.text('national_id'));
  const levels = v.wholes('access_level_status_ids');
  if (levels && levels.length > 0)
    filter.add(`access IN (${levels.map(() => '?').join(',')})`, ...levels);
  return listPage(world, v, {
    table: 'wallets',
    filter,
    tie: 'number',
    columns: {
      createddateutc: 'created_at',
      updateddateutc: 'updated_at',
      name: 'name',
      number: 'number',
      totalbalance: 'available + blocked',
      id: 'id',
    },
    record: (row) => {
      const wallet = walletOf(world, ACCOUNT_ID, text(row.number));
      return wallet ? walletRecord(world, wallet) : null;
    },
  });
}

export function withdrawByExtId(world: World, body: string): Answer {
  const bound = bind(body, { ext_transaction_id: { kind: 'string', required: true } });
  if (!bound.ok) return bound.answer;
  const row = world.store.get(
    `SELECT * FROM requests WHERE ext_id = ? AND visible_at <= ? AND ${OWN} ORDER BY accepted_at LIMIT 1`,
    bound.values.text('ext_transaction_id') ?? '',
    world.clock.now(),
    ACCOUNT_ID,
  );
  if (row) return success(requestRecord(world, row));
  const unknown = world.questions.unknown_ext_id_answer;
  return unknown === 'null_payload' ? success(null) : refusal(unknown);
}

const WITHDRAW_LIST: Shape = {
  ...PAGE_FIELDS,
  process_level_status_id: { kind: 'integer' },
  currency_code: { kind: 'string' },
  account_number: { kind: 'string' },
  wallet_number: { kind: 'string' },
  ext_transaction_id: { kind: 'string' },
  begin_amount: { kind: 'decimal' },
  end_amount: { kind: 'decimal' },
  start_date: { kind: 'date' },
  end_date: { kind: 'date' },
  iban: { kind: 'string' },
  account_type_id: { kind: 'integer' },
  is_completed: { kind: 'boolean' },
};

export function withdrawList(world: World, body: string): Answer {
  const bound = bind(body, WITHDRAW_LIST);
  if (!bound.ok) return bound.answer;
  const v = bound.values;
  const completed = v.flag('is_completed');
  const filter = new Filter()
    .add(OWN, ACCOUNT_ID)
    .add('visible_at <= ?', world.clock.now())
    .add('level = ?', v.whole('process_level_status_id'))
    .add('currency = ?', v.text('currency_code'))
    .add('wallet_number = ?', v.text('wallet_number'))
    .add('ext_id = ?', v.text('ext_transaction_id'))
    .add('amount >= ?', v.amount('begin_amount'))
    .add('amount <= ?', v.amount('end_amount'))
    .add('accepted_at >= ?', v.ms('start_date'))
    .add('accepted_at <= ?', v.ms('end_date'))
    .add('iban = ?', compactIban(v.text('iban') ?? ''))
    .only(v.text('account_number'), ACCOUNT_NUMBER)
    .only(v.whole('account_type_id'), BUSINESS)
    .add(completed === true ? 'level = ?' : 'level <> ?', completed === undefined ? undefined : 1);
  return listPage(world, v, {
    table: 'requests',
    filter,
    tie: 'id',
    columns: {
      createddateutc: 'accepted_at',
      updateddateutc: 'updated_at',
      baseamount: 'amount',
      id: 'id',
      processlevelstatus: 'level',
    },
    record: (row) => requestRecord(world, row),
  });
}

const SUMMARY: Shape = {
  order_column: { kind: 'string', required: true },
  order_by: { kind: 'string' },
  page_size: { kind: 'integer' },
  page_index: { kind: 'integer' },
  start_date: { kind: 'date' },
  end_date: { kind: 'date' },
  id: { kind: 'id' },
  ext_transaction_id: { kind: 'string' },
  transaction_type_code: { kind: 'integer' },
  transaction_type_code_list: { kind: 'integers' },
  process_level_status_id: { kind: 'integer' },
  wallet_number: { kind: 'string' },
  from_wallet_number: { kind: 'string' },
  to_wallet_number: { kind: 'string' },
  wallet_id: { kind: 'string' },
  to_wallet_id: { kind: 'string' },
  min_amount: { kind: 'decimal' },
  max_amount: { kind: 'decimal' },
  currency_code: { kind: 'string' },
  from_description: { kind: 'string' },
  to_description: { kind: 'string' },
  from_account_number: { kind: 'string' },
  to_account_number: { kind: 'string' },
  from_account_id: { kind: 'string' },
  to_account_id: { kind: 'string' },
  from_account_type_id: { kind: 'integer' },
  to_account_type_id: { kind: 'integer' },
  media_identifier: { kind: 'string' },
  is_media_identifier_used: { kind: 'boolean' },
  provider_id: { kind: 'string' },
  channel_type: { kind: 'string' },
  tenant_id: { kind: 'integer' },
  // The meaning of these fields is not published: their types are checked, and they have no effect.
  transaction_group: { kind: 'string' },
  transaction_direction: { kind: 'integer' },
  is_local: { kind: 'boolean' },
};

const OWN_SIDE =
  '(from_wallet IN (SELECT number FROM wallets WHERE account_id = ?) OR to_wallet IN (SELECT ' +
  'number FROM wallets WHERE account_id = ?))';
const DESCRIBED = "description LIKE '%' || ? || '%'";
const walletsWhere = (side: 'from' | 'to', condition: string): string =>
  `${side}_wallet IN (SELECT w.number FROM wallets w JOIN accounts a ON a.id = w.account_id
    WHERE ${condition})`;
const WALLET_BY_ID = '(SELECT number FROM wallets WHERE id = ?)';

/**
 * Selects the merchant's transactions that are completed and that the ledger lists by now. Unless
 * both dates are given, only the last days (`summary_default_days`) are included (`contract`).
 */
function summaryFilter(world: World, v: Values, now: number): Filter {
  const [from, to] = [v.ms('start_date'), v.ms('end_date')];
  const isRange = from !== undefined && to !== undefined;
  const last = now - world.questions.summary_default_days * DAY_MS;
  const start = isRange ? from : Math.max(from ?? last, last);
  const end = to ?? now;
  const filter = new Filter()
    .add(OWN_SIDE, ACCOUNT_ID, ACCOUNT_ID)
    .add("state = 'posted' AND listed_at <= ?", now)
    .add('kind <> ?', 'return_unlisted')
    .add('created_at >= ?', start)
    .add('created_at <= ?', end)
    .add('id = ?', v.text('id'))
    .add('ext_id = ?', v.text('ext_transaction_id'))
    .add('type_id = ?', v.whole('transaction_type_code'))
    .add('status_id = ?', v.whole('process_level_status_id'))
    .add('from_wallet = ?', v.text('from_wallet_number'))
    .add('to_wallet = ?', v.text('to_wallet_number'))
    .add('(from_wallet = ? OR to_wallet = ?)', v.text('wallet_number'), v.text('wallet_number'))
    .add(`COALESCE(from_wallet, to_wallet) = ${WALLET_BY_ID}`, v.text('wallet_id'))
    .add(`to_wallet = ${WALLET_BY_ID}`, v.text('to_wallet_id'))
    .add('amount >= ?', v.amount('min_amount'))
    .add('amount <= ?', v.amount('max_amount'))
    .add('currency = ?', v.text('currency_code'))
    .add(DESCRIBED, v.text('from_description'))
    .add(DESCRIBED, v.text('to_description'))
    .only(v.text('media_identifier'))
    .only(v.flag('is_media_identifier_used'), false)
    .only(v.text('provider_id'))
    .only(v.text('channel_type'), CHANNEL)
    .only(v.whole('tenant_id'), TENANT_ID);
  for (const side of ['from', 'to'] as const) {
    const type = v.whole(`${side}_account_type_id`);
    filter
      .add(walletsWhere(side, 'a.number = ?'), v.text(`${side}_account_number`))
      .add(walletsWhere(side, 'a.id = ?'), v.text(`${side}_account_id`))
      .add(
        walletsWhere(side, 'a.kind = ?'),
        type === undefined ? undefined : (ACCOUNT_KINDS[type] ?? 'none'),
      );
  }
  const types = v.wholes('transaction_type_code_list');
  if (types && types.length > 0)
    filter.add(`type_id IN (${types.map(() => '?').join(',')})`, ...types);
  return filter;
}

export function summaryList(world: World, body: string): Answer {
  const bound = bind(body, SUMMARY);
  if (!bound.ok) return bound.answer;
  const v = bound.values;
  const now = world.clock.now();
  const extId = v.text('ext_transaction_id');
  if (extId && world.questions.listing_before_ledger === '312') {
    const open = world.store.get(
      `SELECT 1 AS hit FROM movements WHERE ext_id = ?
        AND (state = 'pending' OR (state = 'posted' AND listed_at > ?))`,
      extId,
      now,
    );
    const listed = world.store.get(
      "SELECT 1 AS hit FROM movements WHERE ext_id = ? AND state = 'posted' AND listed_at <= ?",
      extId,
      now,
    );
    if (open && !listed) return refusal('312');
  }
  return listPage(world, v, {
    table: 'movements',
    filter: summaryFilter(world, v, now),
    tie: 'id',
    columns: {
      createddateutc: 'created_at',
      completeddateutc: 'completed_at',
      updateddateutc: 'COALESCE(updated_at, completed_at)',
      txbaseamount: 'amount',
      id: 'id',
    },
    record: (row) => movementRecord(world, row),
  });
}

export function transactionReceipt(world: World, body: string): Answer {
  const bound = bind(body, { id: { kind: 'id', required: true } });
  if (!bound.ok) return bound.answer;
  const row: Row | undefined = world.store.get(
    `SELECT * FROM movements WHERE id = ? AND ${OWN_SIDE}`,
    bound.values.text('id') ?? '',
    ACCOUNT_ID,
    ACCOUNT_ID,
  );
  if (!row || row.state === 'void') return refusal('300');
  if (row.state === 'pending' || num(row.listed_at) > world.clock.now()) return refusal('312');
  return success(receiptOf(world, row));
}
