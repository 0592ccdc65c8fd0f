import { ACTIVE, accessCode, accountOf } from '../accounts.ts';
import type { Account } from '../accounts.ts';
import { masked } from '../bank/notice.ts';
import { anyWallet, hasRoom, maySend, transfer, walletOf } from '../books.ts';
import type { Wallet } from '../books.ts';
import { rawAmount } from '../exact-json.ts';
import { newId } from '../ids.ts';
import { magicReceiver, transferMagic } from '../magic.ts';
import type { Effect } from '../magic.ts';
import { ACCOUNT_ID } from '../seed/merchant.ts';
import type { World } from '../world.ts';
import { refusal, success, systemError } from './answer.ts';
import type { Answer } from './answer.ts';
import { earlierUse, firstMeeting, refused } from './ext-ids.ts';
import { bind } from './fields.ts';
import type { Shape } from './fields.ts';
import { MONEY_FIELDS, readOrder } from './order.ts';
import type { Order } from './order.ts';
import { ledgerLag } from './payout.ts';
import { walletRecord } from './records.ts';

/**
 * Transfers between wallets: to a person, to another business, and between own wallets. Order of
 * the checks (assumed, provider-facts 4.3): duplicate 301, wallets 300, same or wrong wallet 303,
 * access, currency, fraud, balance 311, limits 310. The money arrives at once; until the ledger
 * lists it, the ledger answers 312.
 */

type Variant = {
  kind: 'to_person' | 'to_business' | 'virement';
  typeId: number;
  hasPurpose: boolean;
};
type Sides = { sender: Wallet; receiver: Wallet; to: Account };

const SHAPE: Shape = {
  ...MONEY_FIELDS,
  receiver_wallet_number: { kind: 'string', required: true },
};
const WITH_PURPOSE: Shape = { ...SHAPE, payment_type: { kind: 'string' } };

/**
 * The fee in minor units: none between own wallets, else the one of a switch, because no fee is
 * published.
 */
function feeOf(world: World, variant: Variant): bigint {
  if (variant.kind === 'virement') return 0n;
  return BigInt(
    variant.kind === 'to_person'
      ? world.questions.person_transfer_fee
      : world.questions.business_transfer_fee,
  );
}

/** Whether the receiving account is of the kind that this operation pays. */
function fits(variant: Variant, to: Account): boolean {
  if (variant.kind === 'to_person') return to.kind === 'personal';
  return to.kind === 'business' && (to.id === ACCOUNT_ID) === (variant.kind === 'virement');
}

/** Returns both wallets, or the refusal code of the one that cannot take part. */
function sidesOf(
  world: World,
  variant: Variant,
  order: Order,
  receiverNumber: string,
): Sides | string {
  const sender = walletOf(world, ACCOUNT_ID, order.wallet);
  const magic = sender && world.questions.magic_values ? magicReceiver(receiverNumber) : null;
  if (magic !== null) return magic;
  const receiver = anyWallet(world, receiverNumber);
  if (!sender || !receiver) return '300';
  const to = accountOf(world, receiver.accountId);
  if (!to) return '316';
  if (sender.number === receiver.number || !fits(variant, to)) return '303';
  const access = accessCode(
    accountOf(world, ACCOUNT_ID)?.access ?? ACTIVE,
    sender.access,
    to.access,
    receiver.access,
  );
  if (access) return access;
  return sender.currency === order.currency && receiver.currency === order.currency
    ? { sender, receiver, to }
    : '300';
}

function moneyCode(
  variant: Variant,
  order: Order,
  { sender, receiver }: Sides,
  fee: bigint,
): string | null {
  if (sender.available < order.amount + fee) return '311';
  if (!hasRoom(receiver, order.amount)) return '310';
  return variant.kind === 'virement' || maySend(sender, order.amount) ? null : '310';
}

function run(world: World, variant: Variant, body: string): Answer {
  const bound = bind(body, variant.hasPurpose ? WITH_PURPOSE : SHAPE);
  if (!bound.ok) return bound.answer;
  const order = readOrder(world, bound.values, variant.hasPurpose);
  if ('status' in order) return order;
  const now = world.clock.now();
  if (earlierUse(world, order.extId, now)) return refusal('301');
  const refuse = (code: string): Answer => {
    refused(world, order.extId, now);
    return code === '500' ? systemError(world) : refusal(code);
  };
  const sides = sidesOf(world, variant, order, bound.values.text('receiver_wallet_number') ?? '');
  if (typeof sides === 'string') return refuse(sides);
  const magic = world.questions.magic_values ? transferMagic(order.amount) : {};
  if (magic.code && (!magic.once || firstMeeting(world, order.extId, magic.code)))
    return refuse(magic.code);
  const fee = feeOf(world, variant);
  const code = moneyCode(variant, order, sides, fee);
  return code ? refuse(code) : move(world, variant, order, sides, fee, magic, now);
}

/**
 * Returns the receiver's name fields of the answer: a person's name is masked as in a notification,
 * a business has its full name.
 */
const namesOf = (to: Account): object =>
  to.kind === 'personal'
    ? { receiver_first_name: masked(to.firstName), receiver_last_name: masked(to.lastName) }
    : { receiver_first_name: to.name, receiver_last_name: '' };

function move(
  world: World,
  variant: Variant,
  order: Order,
  { sender, receiver, to }: Sides,
  fee: bigint,
  magic: Effect,
  now: number,
): Answer {
  const id = newId();
  transfer(
    world,
    sender.number,
    receiver.number,
    order.amount,
    fee,
    variant.kind === 'virement',
    now,
  );
  world.store.run(
    `INSERT INTO movements (id, kind, type_id, state, status_id, from_wallet, to_wallet, amount,
      fee, currency, ext_id, request_id, ref_id,
       description, other_name, other_iban, created_at, completed_at, listed_at, hostile)
     VALUES (?, ?, ?, 'posted', 20, ?, ?, ?, ?, ?, ?, NULL, NULL, ?, ?, NULL, ?, ?, ?, ?)`,
    id,
    variant.kind,
    variant.typeId,
    sender.number,
    receiver.number,
    order.amount,
    fee,
    order.currency,
    order.extId,
    order.description,
    to.kind === 'personal' ? masked(to.name) : to.name,
    now,
    now,
    now + ledgerLag(world, magic),
    magic.hostileReceipt ? 1 : 0,
  );
  return success({
    transaction_id: id,
    transaction_amount: rawAmount(order.amount),
    ...namesOf(to),
    receiver_account_number: to.number,
    receiver_wallet_number: receiver.number,
    sender_wallet_info: walletRecord(world, walletOf(world, ACCOUNT_ID, sender.number) ?? sender),
    ...(variant.kind === 'to_person'
      ? {}
      : {
          payment_balance_movement: rawAmount(0n),
          cash_balance_movement: rawAmount(order.amount + fee),
        }),
  });
}

const variant =
  (kind: Variant['kind'], typeId: number, hasPurpose: boolean) =>
  (world: World, body: string): Answer =>
    run(world, { kind, typeId, hasPurpose }, body);

/** Transaction types of the ledger: 3004 published, 3003 published-weak, 3006 assumed. */
export const businessToPersonal = variant('to_person', 3004, true);
export const businessToBusiness = variant('to_business', 3003, true);
export const virement = variant('virement', 3006, false);
