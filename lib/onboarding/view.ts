import 'server-only';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { IS_DISABLED_P } from '#lib/access/disabled-login.ts';
import { IS_TO_BANK } from '#lib/movements/kind-sql.ts';
import { seniorRoles } from '#lib/people/rules.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import type { WebhookEffect } from '#lib/webhooks/receive.ts';
import { ONBOARDING_STEPS, openSteps } from './steps.ts';
import type { OpenStep } from './steps.ts';

/** The list of first steps, of which at least one is open. */
export type Onboarding = { open: OpenStep[]; done: number; all: number; mayDismiss: boolean };

/** Who hid the list of first steps, and how many of its steps are open. `at` is ISO. */
export type DismissedOnboarding = { at: string; by: string; open: number };

/**
 * The list of first steps; null for a role that may not see it, once every step is done, and while
 * the list is hidden.
 */
export async function viewOnboarding(actor: Person): Promise<Onboarding | null> {
  if (!may(actor.role, 'onboarding.read')) return null;
  const row = await readFacts(actor);
  const open = openSteps(factsOf(row), actor.role);
  if (row.dismissed_at !== null || open.length === 0) return null;
  return {
    open,
    done: ONBOARDING_STEPS.length - open.length,
    all: ONBOARDING_STEPS.length,
    mayDismiss: may(actor.role, 'onboarding.dismiss'),
  };
}

/**
 * Who hid the list, for people who may show it again; null while the list is not hidden or has no
 * open step.
 */
export async function viewDismissedOnboarding(actor: Person): Promise<DismissedOnboarding | null> {
  if (!may(actor.role, 'onboarding.dismiss')) return null;
  const row = await readFacts(actor);
  const open = openSteps(factsOf(row), actor.role).length;
  if (row.dismissed_at === null || open === 0) return null;
  return { at: row.dismissed_at.toISOString(), by: row.dismissed_by ?? '', open };
}

type FactsRow = {
  wallet_webhook: boolean;
  card_webhook: boolean;
  wallet: boolean;
  people: number;
  recipients: boolean;
  payout: boolean;
  dismissed_at: Date | null;
  dismissed_by: string | null;
};

function factsOf(row: FactsRow): Parameters<typeof openSteps>[0] {
  const { wallet, people, recipients, payout } = row;
  return {
    webhooks: { wallet: row.wallet_webhook, card: row.card_webhook },
    wallet,
    people,
    recipients,
    payout,
  };
}

/**
 * Whether a webhook of the channel has arrived that was understood: anybody who knows the address
 * can leave another one there.
 */
function hasUnderstood(channel: 'wallet' | 'card'): Prisma.Sql {
  return sql`EXISTS (SELECT FROM notices WHERE channel = ${channel}
    AND effect <> ${'not_understood' satisfies WebhookEffect})`;
}

/**
 * Reads the facts of all steps. People who have signed in and can be one of two are counted by the
 * provider's id, which a person keeps from the first sign-in on (sessions would not do, because old
 * ones are deleted): two accounts of one login are one person.
 */
async function readFacts(actor: Person): Promise<FactsRow> {
  const [row] = await inOne<FactsRow>(
    actor.merchantId,
    sql`
    SELECT ${hasUnderstood('wallet')} AS wallet_webhook, ${hasUnderstood('card')} AS card_webhook,
      EXISTS (SELECT FROM wallet_snapshots) AS wallet,
      (SELECT count(DISTINCT p.provider_user_id)::int FROM people p
        WHERE NOT ${IS_DISABLED_P} AND p.role = ANY(${seniorRoles()}::text[])) AS people,
      EXISTS (SELECT FROM recipients) AS recipients,
      EXISTS (SELECT FROM movements m WHERE ${IS_TO_BANK} AND m.state = 'COMPLETED') AS payout,
      d.dismissed_at, p.name AS dismissed_by
    FROM (VALUES (1)) AS one LEFT JOIN onboarding_dismissals d ON TRUE
      LEFT JOIN people p ON p.id = d.dismissed_by`,
  );
  return row!;
}
