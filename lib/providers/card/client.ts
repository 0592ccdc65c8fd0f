import 'server-only';
import { bindVerbs } from '../bound-verbs.ts';
import type { Bound } from '../bound-verbs.ts';
import { exchange } from '../transport.ts';
import type { Transport } from '../transport.ts';
import { sendCashout } from './cashouts.ts';
import { CARD_CODES } from './codes.ts';
import type { CardCodes } from './codes.ts';
import { listCommissions } from './commissions.ts';
import { completePayment } from './complete.ts';
import { captureHold, releaseHold } from './confirm.ts';
import { savedCardForm, threeDForm } from './forms.ts';
import { createLine } from './connection.ts';
import type { Line } from './connection.ts';
import { makeLink, readLink } from './links.ts';
import { readNotice } from './webhooks.ts';
import { payByCard, payBySavedCard } from './pay.ts';
import { getPos, listInstallments } from './pos.ts';
import { readRecord } from './read-record.ts';
import { processPlan, readPlan, updatePlan } from './recurring.ts';
import { refundPayment } from './refund.ts';
import { decodeReturn, returnAgrees } from './returned.ts';
import { deleteCard, editCard, listSavedCards, saveCard } from './saved-cards.ts';
import { createCardToken } from './token.ts';
import type { CardEntry } from './types.ts';

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
  /** Called for each request that is not sent for want of a token. */
  onNoToken?: () => void;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
};

/**
 * Every operation returns a result even without a response, and never throws for network errors.
 * Each operation is described in its own file.
 *
 * An operation's file holds the zod schema of what it reads (built from the decoders of `wire.ts`,
 * with the confidence of each shape that the contract does not show), and one function `(line,
 * input)` that sends one request and passes the exchange to `readReply` (no money) or to a pure
 * classifier (money). Hash keys are `line.hashKey([...])`; the operation's file fixes the order of
 * the parts.
 */
const VERBS = {
  paymentMode: (line: Line) => line.paymentMode(),
  readRecord,
  getPos,
  listInstallments,
  listCommissions,
  saveCard,
  listSavedCards,
  editCard,
  deleteCard,
  readPlan,
  processPlan,
  updatePlan,
  sendCashout,
  makeLink,
  readLink,
  readNotice,
  payByCard,
  payBySavedCard,
  threeDForm,
  savedCardForm,
  decodeReturn,
  returnAgrees,
  completePayment,
  captureHold,
  releaseHold,
  refundPayment,
};
export type CardClient = Bound<typeof VERBS>;

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
    onNoToken: config.onNoToken,
  });
  return bindVerbs(line, VERBS);
}
