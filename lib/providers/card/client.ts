import 'server-only';
import type { Reply } from '../outcome.ts';
import { exchange } from '../transport.ts';
import type { Transport } from '../transport.ts';
import type { CashoutContent } from './cashout-body.ts';
import { sendCashout } from './cashouts.ts';
import type { CashoutOutcome } from './classify-cashout.ts';
import type { PlanChargeOutcome } from './classify-plan.ts';
import { CARD_CODES } from './codes.ts';
import type { CardCodes } from './codes.ts';
import { listCommissions } from './commissions.ts';
import type { Commission } from './commissions.ts';
import { completePayment } from './complete.ts';
import { captureHold, releaseHold } from './confirm.ts';
import type { ManagementOutcome } from './management-call.ts';
import { savedCardForm, threeDForm } from './forms.ts';
import { createLine } from './connection.ts';
import { makeLink, readLink } from './links.ts';
import type { PurchaseLink } from './links.ts';
import { decodeCardWebhook } from './webhooks.ts';
import type { CardNoticeAnswer } from './webhooks.ts';
import { payByCard, payBySavedCard } from './pay.ts';
import type { SavedCardCharge, Sending } from './pay.ts';
import type { Plan } from './plan-record.ts';
import { getPos, listInstallments } from './pos.ts';
import type { PosOption, PosQuestion } from './pos.ts';
import type { LinkContent } from './purchase-body.ts';
import { readRecord } from './read-record.ts';
import { processPlan, readPlan, updatePlan } from './recurring.ts';
import type { PlanChange } from './recurring.ts';
import { refundPayment } from './refund.ts';
import type { Refund } from './refund-request.ts';
import { decodeReturn, returnAgrees } from './returned.ts';
import { deleteCard, editCard, listSavedCards, saveCard } from './saved-cards.ts';
import type { CardChange, Customer, SavedCard } from './saved-cards.ts';
import { createCardToken } from './token.ts';
import type { TypedCard } from './typed-card.ts';
import type {
  AskedCharge,
  BrowserForm,
  CardEntry,
  CardOrder,
  CardReturn,
  CompletionOutcome,
  ConfirmOutcome,
  ExpectedCharge,
  ExpectedPayment,
  FormWays,
  PaymentMode,
  PaymentOutcome,
  RecordOutcome,
  RefundOutcome,
  SavedCardOrder,
} from './types.ts';

export type CardConfig = {
  /** {base_url} of the contract. */
  baseUrl: string;
  appId: string;
  appSecret: string;
  merchantKey: string;
  /** The vendor's prefix before `status` and `payment_method` (`svc_`). */
  fieldPrefix: string;
  entry: CardEntry;
  /** A brand's own code tables; the published ones by default. */
  codes?: CardCodes;
  /** The language of the gateway's messages. */
  lang?: 'tr' | 'en';
  /** The network; the simulator and the tests bring their own. */
  transport?: Transport;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
};

/**
 * Every operation returns what is known, no response included, and never throws for network errors.
 * Each is described in its own file.
 *
 * An operation's file holds the zod schema of what it reads (built from the decoders of `wire.ts`,
 * with the confidence of each shape that the contract does not show), and one function `(line,
 * input)` that sends one request and passes the exchange to `readReply` (no money) or to a pure
 * classifier (money). Hash keys are `line.hashKey([...])`; the operation's file fixes the order of
 * the parts.
 */
export type CardClient = {
  paymentMode(): Promise<Reply<PaymentMode>>;
  readRecord(asked: AskedCharge): Promise<RecordOutcome>;
  getPos(question: PosQuestion): Promise<Reply<PosOption[]>>;
  listInstallments(): Promise<Reply<number[]>>;
  listCommissions(question: {
    currency: string;
    commissionBy?: 'merchant' | 'user';
  }): Promise<Reply<Commission[]>>;
  saveCard(customer: Customer, card: TypedCard): Promise<ManagementOutcome<string>>;
  listSavedCards(customerNumber: string): Promise<Reply<SavedCard[]>>;
  editCard(change: CardChange): Promise<ManagementOutcome<string>>;
  deleteCard(card: { customerNumber: string; token: string }): Promise<ManagementOutcome<null>>;
  readPlan(question: { planCode: string; number?: number }): Promise<Reply<Plan>>;
  processPlan(
    plan: { merchantId: string; planCode: string },
    sending: Sending,
  ): Promise<PlanChargeOutcome>;
  updatePlan(
    planCode: string,
    change: PlanChange,
    sending?: Sending,
  ): Promise<ManagementOutcome<null>>;
  sendCashout(content: CashoutContent, sending: Sending): Promise<CashoutOutcome>;
  makeLink(content: LinkContent): Promise<ManagementOutcome<PurchaseLink> | { kind: 'exists' }>;
  readLink(expected: ExpectedCharge): Promise<RecordOutcome>;
  readNotice(body: string): CardNoticeAnswer;
  payByCard(
    order: CardOrder,
    card: TypedCard,
    sending: Sending,
    insurance?: { identityNumber: string },
  ): Promise<PaymentOutcome>;
  payBySavedCard(order: SavedCardCharge, sending: Sending): Promise<PaymentOutcome>;
  threeDForm(order: CardOrder, ways: FormWays): BrowserForm;
  savedCardForm(order: SavedCardOrder, ways: FormWays): BrowserForm;
  decodeReturn(fields: URLSearchParams): CardReturn;
  returnAgrees(returned: CardReturn, expected: ExpectedCharge & { currency: string }): boolean;
  completePayment(
    expected: ExpectedPayment & { orderId: string },
    status: 'complete' | 'cancel',
    sending: Sending,
  ): Promise<CompletionOutcome>;
  captureHold(
    hold: { invoiceId: string; amountMinor: bigint },
    sending: Sending,
  ): Promise<ConfirmOutcome>;
  releaseHold(hold: { invoiceId: string }, sending: Sending): Promise<ConfirmOutcome>;
  refundPayment(refund: Refund, sending: Sending): Promise<RefundOutcome>;
};

/** One client per process: its token is shared by all its calls. */
export function createCardClient(config: CardConfig): CardClient {
  const transport = config.transport ?? exchange;
  const {
    appId,
    appSecret,
    merchantKey,
    fieldPrefix,
    entry,
    codes = CARD_CODES,
    lang = 'tr',
    now = () => performance.now(),
  } = config;
  const baseUrl = config.baseUrl.replace(/\/+$/, '');
  const token = createCardToken({ baseUrl, appId, appSecret, lang, transport, now });
  const line = createLine({
    baseUrl,
    appId,
    appSecret,
    merchantKey,
    fieldPrefix,
    codes,
    entry,
    lang,
    token,
    transport,
  });
  return {
    paymentMode: () => line.paymentMode(),
    readRecord: (asked) => readRecord(line, asked),
    getPos: (question) => getPos(line, question),
    listInstallments: () => listInstallments(line),
    listCommissions: (question) => listCommissions(line, question),
    saveCard: (customer, card) => saveCard(line, customer, card),
    listSavedCards: (customerNumber) => listSavedCards(line, customerNumber),
    editCard: (change) => editCard(line, change),
    deleteCard: (card) => deleteCard(line, card),
    readPlan: (question) => readPlan(line, question),
    processPlan: (plan, sending) => processPlan(line, plan, sending),
    updatePlan: (planCode, change, sending) => updatePlan(line, planCode, change, sending),
    sendCashout: (content, sending) => sendCashout(line, content, sending),
    makeLink: (content) => makeLink(line, content),
    readLink: (expected) => readLink(line, expected),
    readNotice: (body) => decodeCardWebhook(body, line),
    payByCard: (order, card, sending, insurance) =>
      payByCard(line, order, card, sending, insurance),
    payBySavedCard: (order, sending) => payBySavedCard(line, order, sending),
    threeDForm: (order, ways) => threeDForm(line, order, ways),
    savedCardForm: (order, ways) => savedCardForm(line, order, ways),
    decodeReturn: (fields) => decodeReturn(fields, line),
    returnAgrees: (returned, expected) => returnAgrees(line, returned, expected),
    completePayment: (expected, status, sending) =>
      completePayment(line, expected, status, sending),
    captureHold: (hold, sending) => captureHold(line, hold, sending),
    releaseHold: (hold, sending) => releaseHold(line, hold, sending),
    refundPayment: (refund, sending) => refundPayment(line, refund, sending),
  };
}
