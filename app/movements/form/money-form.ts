import type { Minor } from '#lib/values/money.ts';
import type { DraftSums } from '#lib/payouts/draft.ts';
import type { Finding } from '#lib/payouts/rules.ts';
import type { ActionProblem } from '#lib/login/action-state.ts';
import type { OwnLimitLeft } from '#lib/movements/own-limit.ts';
import type { KnownView, WalletView } from '#lib/wallets/view.ts';
import type { ReasonError } from './use-overrides.ts';

/** What the sections shared by the payout form and the transfer form need from either. */

export type FieldError = { code: string; params: Record<string, string | number> };
export type ShownFinding = Pick<Finding, 'level' | 'params' | 'movementId'> & {
  code: string;
  field: string;
};
export type FormProblem = ActionProblem | { kind: 'findings' | 'unreachable' | 'outdated' };

/**
 * Whether the form may have stored its movement all the same: no answer came, or the action ended
 * with an unexpected error, which a lost confirmation of a commit is, too.
 */
export function mayBeStored(problem: FormProblem | null): boolean {
  return problem?.kind === 'unreachable' || problem?.kind === 'failed';
}

export type PaymentChoice = { code: string; description: string; descriptionMin: number };

/** The fields both forms have. */
type Common = 'wallet' | 'amount' | 'paymentType' | 'description';

// Methods, not properties: each form takes its own narrower fields and findings.
/* oxlint-disable typescript/method-signature-style */
export type MoneyForm = {
  typed: Record<Common, string>;
  type(field: Common, text: string): void;
  read: {
    content: { amountMinor?: Minor; paymentType?: string; description?: string };
    errors: Partial<Record<Common, FieldError>>;
    readings: [Minor, Minor] | null;
  };
  /** Fields that a person has left, or tried to continue from: only these show their errors. */
  touched: ReadonlySet<string>;
  touch(field: Common | 'overrideReason'): void;
  wallets: KnownView<WalletView[]>;
  wallet: WalletView | null;
  askWallets: () => Promise<void>;
  askingWallets: boolean;
  /** The person's own limits, and what they leave for today. */
  ownLimits: readonly OwnLimitLeft[];
  findings: readonly ShownFinding[];
  warnings: readonly ShownFinding[];
  isTicked(finding: ShownFinding): boolean;
  tick(finding: ShownFinding, on: boolean): void;
  reason: string;
  setReason: (text: string) => void;
  reasonError: ReasonError;
  sums: DraftSums;
  /** The payee's history in our own records could not be read. */
  historyMissing: boolean;
  problem: FormProblem | null;
  /** After a new sign-in: repeats the queries that failed meanwhile. */
  signedInAgain: () => void;
  step: 'edit' | 'review';
  setStep: (step: 'edit' | 'review') => void;
  sending: boolean;
  send: () => void;
  /** Seconds until the same payee may be paid again; 0 when allowed now. */
  waitSeconds: number;
  clean: boolean;
};
