import { may } from '#lib/access/actor.ts';
import type { Permission, Role } from '#lib/access/actor.ts';

/** The first steps of a merchant, in the order in which they are usually taken. Pure. */
export const ONBOARDING_STEPS = [
  'webhooks',
  'wallet',
  'second_person',
  'recipients',
  'payout',
] as const;
type Step = (typeof ONBOARDING_STEPS)[number];

/**
 * What the database says. `webhooks`: the channels on which one has arrived that was understood.
 * `people`: how many have signed in who can be one of two.
 */
export type OnboardingFacts = {
  webhooks: { wallet: boolean; card: boolean };
  wallet: boolean;
  people: number;
  recipients: boolean;
  payout: boolean;
};

/** `href` is null for a role that may not open that page; `missing` names the silent channels. */
export type OpenStep = { step: Step; href: string | null; missing: ('wallet' | 'card')[] };

const PEOPLE_ENOUGH = 2;
const PLACES: Record<Step, { href: string; needs: Permission }> = {
  webhooks: { href: '/webhooks', needs: 'notice.read' },
  wallet: { href: '/wallets', needs: 'wallet.read' },
  second_person: { href: '/people', needs: 'people.read' },
  recipients: { href: '/recipients/bring', needs: 'payout.prepare' },
  payout: { href: '/payouts/new', needs: 'payout.prepare' },
};

/** The steps that are still to be taken, each with the page on which it is done. */
export function openSteps(facts: OnboardingFacts, role: Role): OpenStep[] {
  const { webhooks } = facts;
  const isDone: Record<Step, boolean> = {
    webhooks: webhooks.wallet && webhooks.card,
    wallet: facts.wallet,
    second_person: facts.people >= PEOPLE_ENOUGH,
    recipients: facts.recipients,
    payout: facts.payout,
  };
  return ONBOARDING_STEPS.filter((step) => !isDone[step]).map((step) => ({
    step,
    href: may(role, PLACES[step].needs) ? PLACES[step].href : null,
    missing:
      step === 'webhooks' ? (['wallet', 'card'] as const).filter((one) => !webhooks[one]) : [],
  }));
}
