import 'server-only';
import type { Reply } from '../outcome.ts';
import { exchange } from '../transport.ts';
import type { Transport } from '../transport.ts';
import { CARD_CODES } from './codes.ts';
import type { CardCodes } from './codes.ts';
import { createLine } from './line.ts';
import { readRecord } from './read-record.ts';
import { createCardToken } from './token.ts';
import type { CardEntry, ExpectedCharge, PaymentMode, RecordOutcome } from './words.ts';

export type CardConfig = {
  /** {base_url} of the contract. */
  baseUrl: string;
  appId: string;
  appSecret: string;
  merchantKey: string;
  /** The maker's prefix before `status` and `payment_method` (`svc_`). */
  fieldPrefix: string;
  entry: CardEntry;
  /** A brand's own numbers; the published ones unless told. */
  codes?: CardCodes;
  /** The language of the gateway's words. */
  lang?: 'tr' | 'en';
  /** The door to the network; the simulator and the tests bring their own. */
  transport?: Transport;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
};

/**
 * Every verb says what is known, silence included, and never throws for the network. Each is described where it is written.
 *
 * A verb's file holds: the zod schema of what it reads (built from the decoders of `wire.ts`, with the confidence of each shape that
 * the contract does not show), and one function `(line, input)` that asks or sends once and hands the exchange to `readReply`
 * (no money) or to a pure classifier (money). Hash keys are `line.hashKey([...])`; the order of their parts stands in the verb.
 */
export type CardClient = {
  paymentMode(): Promise<Reply<PaymentMode>>;
  readRecord(expected: ExpectedCharge): Promise<RecordOutcome>;
};

/** One client per process: its token is shared by all its calls. */
export function createCardClient(config: CardConfig): CardClient {
  const transport = config.transport ?? exchange;
  const { appId, appSecret, merchantKey, fieldPrefix, entry, codes = CARD_CODES, lang = 'tr', now = () => performance.now() } = config;
  const baseUrl = config.baseUrl.replace(/\/+$/, '');
  const token = createCardToken({ baseUrl, appId, appSecret, lang, transport, now });
  const line = createLine({ baseUrl, appId, appSecret, merchantKey, fieldPrefix, codes, entry, lang, token, transport });
  return {
    paymentMode: () => line.paymentMode(),
    readRecord: (expected) => readRecord(line, expected),
  };
}
