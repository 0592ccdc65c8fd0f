/**
 * The groups of movements that the home page counts, and that a list can be narrowed to.
 * `unknown`: nobody knows what became of the money. `person`: any other reason to look.
 * `outcome`: did not happen or came back, and nobody has seen it. `queued`: was not sent, because
 * the provider could not be reached. Pure.
 */
export const WAITING_GROUPS = ['unknown', 'person', 'outcome', 'queued'] as const;
export type WaitingGroup = (typeof WAITING_GROUPS)[number];
