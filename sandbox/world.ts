import { randomBytes } from 'node:crypto';
import { loadBankMode } from './bank/mode.ts';
import type { BankMode } from './bank/mode.ts';
import { loadCardMerchant } from './card-api/merchant.ts';
import type { CardMerchant } from './card-api/merchant.ts';
import { Clock } from './clock.ts';
import { Faults } from './faults.ts';
import { Notices } from './notifications.ts';
import { loadQuestions } from './questions.ts';
import type { Questions } from './questions.ts';
import { Scheduler } from './scheduler.ts';
import { Store } from './store.ts';

/** The whole state of one running sandbox. */
export type World = {
  store: Store;
  clock: Clock;
  questions: Questions;
  bankMode: BankMode;
  cardMerchant: CardMerchant;
  faults: Faults;
  scheduler: Scheduler;
  notices: Notices;
  credentials: Credentials;
};

export type Credentials = {
  card: { app_id: string; app_secret: string; merchant_key: string };
  wallet: { client_id: string; client_secret: string; scope: string };
  /** The key that signs the wallet tokens; it never leaves the process. */
  tokenKey: string;
};

/**
 * Loads the credentials. They are made once per data folder and kept over resets, so that clients
 * configured with them go on working.
 */
function loadCredentials(store: Store): Credentials {
  const stored = store.read('keep.credentials');
  if (stored) return JSON.parse(stored) as Credentials;
  const made: Credentials = {
    card: {
      app_id: randomBytes(16).toString('hex'),
      app_secret: randomBytes(16).toString('hex'),
      merchant_key: `$2y$10$${randomBytes(39).toString('base64').replaceAll('+', '.').slice(0, 53)}`,
    },
    wallet: {
      client_id: 'lodos-ticaret-api',
      client_secret: randomBytes(24).toString('base64url'),
      scope: 'sts_business_api',
    },
    tokenKey: randomBytes(32).toString('hex'),
  };
  store.write('keep.credentials', JSON.stringify(made));
  return made;
}

export function openWorld(dataDir: string, notifyUrl: string | null): World {
  const store = new Store(dataDir);
  const clock = new Clock(store);
  const scheduler = new Scheduler(clock);
  const questions = loadQuestions(store);
  return {
    store,
    clock,
    questions,
    scheduler,
    bankMode: loadBankMode(store),
    cardMerchant: loadCardMerchant(store),
    faults: new Faults(store),
    notices: new Notices({ store, clock, scheduler, questions, notifyUrl }),
    credentials: loadCredentials(store),
  };
}
