import { bankTakes } from './bank.ts';
import { EPOCH } from './database.ts';
import { FEE, ledgerLines } from './ledger.ts';
import type { Random } from './random.ts';
import type { Listed } from './recovery.ts';
import type { Row } from './store.ts';
import { MINUTE } from './time.ts';
import {
  acceptance,
  ledgerPage,
  readMoney,
  refusal,
  success,
  transferAcceptance,
  withdrawRecord,
} from './wire.ts';
import type { World } from './world.ts';

/**
 * The provider of a world. It keeps the contract; where the contract says nothing, it behaves as
 * badly as it may. Its records are the truth for the judges.
 */

/**
 * `known`: the answer reveals that the provider has a record for the id. `accepted`: the provider
 * has accepted the payment.
 */
export type Answer = { http: number; body: string; known?: boolean; accepted?: boolean };

export type Payment = {
  extId: string;
  requestId: string;
  transactionId: string;
  /** The payee: an IBAN or a wallet. */
  to: string;
  transfer: boolean;
  amountMinor: bigint;
  need: number;
  acceptedAt: number;
  /**
   * `visibleAt`: from then on reads show the payment. `listedAt`: from then on a duplicate check
   * that uses the ledger finds it.
   */
  visibleAt: number;
  listedAt: number;
  state: 'pending' | 'completed' | 'rejected' | 'failed';
  byHand: boolean;
  /** Webhooks about the payment: how many were sent, and the number of the latest that arrived. */
  webhooksSent: number;
  webhooksReceived: number;
  /** When the ledger shows the debit, in the time of the world; null while it does not. */
  postedAt: number | null;
  back: { amountMinor: bigint; postedAt: number; transactionId: string } | null;
};

const SAME_IBAN_MS = MINUTE;
const REFUSALS = [
  '300',
  '303',
  '306',
  '310',
  '311',
  '315',
  '330',
  '334',
  '336',
  '480',
  '503',
  '999',
] as const;
const TRANSFER_REFUSALS = [
  '300',
  '303',
  '304',
  '310',
  '311',
  '313',
  '330',
  '334',
  '336',
  '480',
  '999',
] as const;
const RECORD_CODE = { pending: '0', completed: '1', rejected: '2', failed: '3' } as const;
const LEVELS = ['pending', 'completed', 'rejected', 'failed'] as const;
export type Level = (typeof LEVELS)[number];
const LEVEL = { pending: 0, completed: 1, rejected: 2, failed: 3 } as const;

export class Provider {
  readonly payments: Payment[] = [];
  private readonly burned = new Set<string>();
  private readonly foreign = new Set<string>();
  private readonly met = new Set<string>();
  private readonly elsewhere = new Map<string, number>();
  private readonly world: World;
  private readonly random: Random;
  private available: bigint;
  /** Others have taken everything out of the wallet. */
  isEmptied = false;
  private made = 0;

  constructor(world: World) {
    this.world = world;
    this.random = world.random('provider');
    this.available = world.knobs.faults.poor > 0 ? 1_500_000n : 1_000_000_000n;
  }

  /**
   * Answers SendMoneyToBankAccount, or one of the three transfers between wallets, when the request
   * arrives.
   */
  receive(body: string): Answer {
    const { world, random } = this;
    const order = JSON.parse(body) as {
      ext_transaction_id: string;
      receiver_iban?: string;
      receiver_wallet_number?: string;
    };
    const transfer = order.receiver_iban === undefined;
    const to = order.receiver_iban ?? order.receiver_wallet_number ?? '';
    const extId = order.ext_transaction_id;
    const need = world.watch.arrived(extId);
    const amountMinor = readMoney(body);
    const { knowsIdsFirst, stateCodes } = world.knobs.questions;
    const repeated = this.duplicateCode(extId, transfer);
    const known = (): Answer => ({ ...this.refuse(repeated ?? '1', extId, false), known: true });
    if (repeated !== null && knowsIdsFirst) return known();
    const refused = this.refusalCode(to, amountMinor, transfer);
    if (refused === '326') world.watch.waitsForMinute(extId);
    if (refused === '311' && this.payments.some((one) => one.extId === extId && isLive(one)))
      world.lives.meets(extId, 'no balance after unclear');
    if (refused !== null) return this.refuse(refused, extId, repeated === null);
    if (repeated !== null) return known();
    const payment = this.accept({ extId, to, transfer, amountMinor, need });
    if (transfer)
      return {
        http: 200,
        accepted: true,
        body: transferAcceptance(
          { amountMinor, transactionId: payment.transactionId, to },
          world.wire,
        ),
      };
    if (stateCodes && random.chance(0.5)) {
      world.lives.meets(extId, 'record code for an answer');
      return {
        ...this.refuse(
          payment.state === 'pending' && random.chance(0.1) ? '4' : RECORD_CODE[payment.state],
          extId,
          false,
        ),
        known: true,
      };
    }
    const transactionId = world.knobs.questions.transactionIdAtOnce ? payment.transactionId : null;
    return {
      http: 200,
      accepted: true,
      body: acceptance(
        { extId, amountMinor, feeMinor: FEE, requestId: payment.requestId, transactionId },
        world.wire,
      ),
    };
  }

  private refuse(code: string, extId: string, burns: boolean): Answer {
    if (burns && this.world.knobs.questions.refusedBurnsId) this.burned.add(extId);
    this.world.note('provider', () => `answers ${code} to ${extId}`);
    return { http: code === '999' ? 400 : 200, body: refusal(code, this.world.wire) };
  }

  private refusalCode(to: string, amountMinor: bigint, transfer: boolean): string | null {
    const { world, random } = this;
    const { now } = world.agenda;
    const recent =
      now - (this.elsewhere.get(to) ?? -Infinity) < SAME_IBAN_MS ||
      this.payments.some((one) => one.to === to && now - one.acceptedAt < SAME_IBAN_MS);
    if (!transfer && (recent || world.fault('busyPayee', random))) return '326';
    if (world.fault('refusal', random)) return random.pick(transfer ? TRANSFER_REFUSALS : REFUSALS);
    if (this.balance() >= amountMinor + FEE) return null;
    if (!this.isEmptied) world.stats.drawn.poor++;
    return '311';
  }

  balance(): bigint {
    return this.isEmptied ? 0n : this.available;
  }

  /** The merchant pays the same IBAN by another program, which counts for the one-minute rule. */
  paidElsewhere(iban: string): void {
    this.elsewhere.set(iban, this.world.agenda.now);
  }

  private duplicateCode(extId: string, transfer: boolean): string | null {
    const { world, random } = this;
    const { dedupe, duplicateAnswer, reservedMs } = world.knobs.questions;
    const { now } = world.agenda;
    // Another client used this id. That should be impossible, and must still do no harm.
    if (!this.met.has(extId) && world.fault('foreignId', random)) this.foreign.add(extId);
    if (this.foreign.has(extId) && !this.met.has(extId))
      world.lives.meets(extId, 'duplicate on the first send');
    this.met.add(extId);
    if (this.foreign.has(extId) || this.burned.has(extId))
      return duplicateAnswer === '301' ? '301' : '1';
    const since = dedupe === 'ledger' ? now : Infinity;
    const known = this.payments.find(
      (one) =>
        one.extId === extId &&
        dedupe !== 'none' &&
        one.listedAt <= since &&
        now - one.acceptedAt < reservedMs,
    );
    if (known === undefined) return null;
    if (duplicateAnswer === 'record') return transfer ? '301' : RECORD_CODE[known.state];
    return duplicateAnswer;
  }

  private accept(
    order: Pick<Payment, 'extId' | 'to' | 'transfer' | 'amountMinor' | 'need'>,
  ): Payment {
    const { world, random } = this;
    const { readLags, lagMaxMs } = world.knobs.questions;
    const { now } = world.agenda;
    const lag = random.between(Math.min(2_000, lagMaxMs), lagMaxMs);
    const payment: Payment = {
      ...order,
      requestId: this.newId('7'),
      transactionId: this.newId('9'),
      acceptedAt: now,
      visibleAt: readLags ? now + lag : now,
      listedAt: now + lag,
      state: 'pending',
      byHand: false,
      webhooksSent: 0,
      webhooksReceived: 0,
      postedAt: null,
      back: null,
    };
    this.available -= payment.amountMinor + FEE;
    this.payments.push(payment);
    world.note('provider', () => `accepts ${payment.extId} as ${payment.requestId}`);
    world.watch.executed(payment);
    if (payment.transfer) this.move(payment);
    else
      bankTakes(
        world,
        payment,
        random,
        (postedLag) => world.agenda.now + random.between(Math.min(2_000, postedLag), postedLag),
      );
    return payment;
  }

  /**
   * Executes a transfer between wallets: the money arrives at once, and only the ledger shows it,
   * under the transaction's own number. The ledger always shows it in the end: if it never did, and
   * ids were not reserved, no client could know of the transfer.
   */
  private move(payment: Payment): void {
    const { world } = this;
    payment.requestId = payment.transactionId;
    payment.state = 'completed';
    payment.postedAt = payment.listedAt;
    payment.visibleAt = payment.listedAt;
    world.later(payment.listedAt - world.agenda.now, () => undefined);
  }

  /**
   * The payment that the record shows when several copies have one id. The contract leaves open
   * whether it is the first or the last.
   */
  shown(extId: string, at: number): Payment | undefined {
    const visible = this.payments.filter((one) => one.extId === extId && one.visibleAt <= at);
    return this.world.knobs.questions.readShows === 'first' ? visible[0] : visible.at(-1);
  }

  /** Answers GetRequestWithdrawByExtId. */
  read(extId: string): Answer {
    const { unknownAnswer, manualShown, returnedLevel } = this.world.knobs.questions;
    const payment = this.shown(extId, this.world.agenda.now);
    const { wire } = this.world;
    if (payment === undefined)
      return {
        http: 200,
        body: unknownAnswer === 'null' ? success('null', wire) : refusal(unknownAnswer, wire),
      };
    const words =
      payment.byHand && manualShown
        ? { after_process_status: 3, description: 'ManualOperation' }
        : payment.state === 'pending'
          ? null
          : { result: 'x' };
    return {
      http: 200,
      body: withdrawRecord(
        {
          ...payment,
          iban: payment.to,
          level: payment.back === null ? LEVEL[payment.state] : returnedLevel,
          bankWords: words,
        },
        wire,
      ),
    };
  }

  /**
   * A record that answers another query: it has another reference, or our own with another amount,
   * currency, IBAN or number.
   */
  readOfAnother(row: Row): Answer {
    const ours = {
      extId: row.extId,
      amountMinor: row.amountMinor,
      currency: 'TRY',
      iban: row.iban,
      requestId: row.requestId ?? '7888888888888888888',
    };
    const others = [
      { extId: 'SOMEBODYELSE0000001' },
      { amountMinor: row.amountMinor + 100n },
      { currency: 'USD' },
      { iban: 'TR140006105197864578469999' },
    ];
    // A worker that has received no number yet cannot tell that this number belongs to another
    // payment.
    const other = this.random.pick(
      row.requestId === null ? others : [...others, { requestId: '7888888888888888888' }],
    );
    const level = this.random.pick([0, 1, 2, 3]);
    return {
      http: 200,
      body: withdrawRecord({ ...ours, ...other, level, bankWords: null }, this.world.wire),
    };
  }

  /**
   * The sent payments that the provider's two lists hold: the requests, and for transfers their
   * ledger entries.
   */
  listed(): Listed[] {
    const { agenda, knobs } = this.world;
    const shown = this.payments.filter((one) => one.visibleAt <= agenda.now);
    return shown.map((one) => ({
      extId: one.extId,
      reference: one.requestId,
      level: one.back === null ? one.state : LEVELS[knobs.questions.returnedLevel],
      amountMinor: one.amountMinor,
      payee: one.to,
      isTransfer: one.transfer,
    }));
  }

  /** Answers SummaryRecordByFilter: posted entries, and no open ones. */
  summary(fields: Record<string, unknown>): Answer {
    const { knobs, wire } = this.world;
    const extId = fields.ext_transaction_id;
    const from = Date.parse(String(fields.start_date)) - EPOCH;
    const to = Date.parse(String(fields.end_date)) - EPOCH;
    const lines = ledgerLines(this.world, this.payments, from, to).filter((line) =>
      extId === undefined ? line.to === fields.to_wallet_number : line.extId === extId,
    );
    if (lines.length === 0 && extId !== undefined && knobs.questions.openListing !== 'empty') {
      return {
        http: 200,
        body: knobs.questions.openListing === 'null' ? success('null', wire) : refusal('312', wire),
      };
    }
    const size = Math.min(Number(fields.page_size), this.world.knobs.faults.decoy > 0 ? 3 : 200);
    const index = Number(fields.page_index);
    const page = lines.slice(index * size, (index + 1) * size);
    return {
      http: 200,
      body: ledgerPage(
        page,
        { index, count: Math.ceil(lines.length / size), size, rows: lines.length },
        wire,
      ),
    };
  }

  /** The money of a payment that was not made goes back to the wallet, with the fee. */
  release(payment: Payment): void {
    this.available += payment.amountMinor + FEE;
  }

  newId(first: string): string {
    this.made++;
    return `${first}${String(this.made).padStart(18, '0')}`;
  }
}

/**
 * Whether the payee has the money or may still get it. A payment that was returned less the bank's
 * fee does not count: the payee has lost it, too.
 */
export function isLive(payment: Payment): boolean {
  return payment.state === 'pending' || (payment.state === 'completed' && payment.back === null);
}
