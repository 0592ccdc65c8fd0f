import type { WebhookRow } from '#lib/webhooks/list.ts';

/**
 * The key of the words for a webhook's effect. A card webhook that is not believed counts as one case:
 * unreadable, without its hash, or with a wrong one. The gateway keeps no record of a returned payout, and
 * an order or a plan that was not added is in nobody's turn.
 */
export function effectWords({ channel, effect }: Pick<WebhookRow, 'channel' | 'effect'>) {
  if (channel === 'wallet') return effect ?? 'none';
  switch (effect) {
    case 'not_understood':
      return 'not_believed';
    case 'asked_provider':
      return 'asked_gateway';
    case 'nothing_to_ask':
      return 'return_noted';
    case 'kept_only':
      return 'not_added';
    default:
      return effect ?? 'none';
  }
}
