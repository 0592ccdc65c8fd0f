/** What a published change is about. Pure: the publishers, the stream and the pages read it. */
export const LIVE_KINDS = [
  'movement',
  'notice',
  'receipt',
  'sending',
  'records',
  'top_up',
  'reconciliation',
  'card',
  'person',
  'notification',
  'policy',
  'batch',
  'program',
] as const;
export type LiveKind = (typeof LIVE_KINDS)[number];
