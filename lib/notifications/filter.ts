import * as z from 'zod';
import { readPlace } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';

/**
 * The filter of the notifications in their address: `?view=unread&after=…`. Invalid parts are
 * ignored. Pure.
 */

export const NOTIFICATION_VIEWS = ['all', 'unread'] as const;
export type NotificationView = (typeof NOTIFICATION_VIEWS)[number];
/** `place` is the edge of a page: `<moment>_<id>` of the row beside it. */
export type NotificationQuery = { view: NotificationView; place: Place | null };

const EDGE =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const view = z.enum(NOTIFICATION_VIEWS).catch('all');

export function readNotificationQuery(
  params: Record<string, string | string[] | undefined>,
): NotificationQuery {
  return { view: view.parse(params.view), place: readPlace(params, EDGE) };
}

/** The default is left out, so that equal lists have one address. */
export function notificationParams(chosen: NotificationView): Record<string, string | null> {
  return { view: chosen === 'all' ? null : chosen };
}

/** The moment and the id in a place. */
export function edgeOf({ edge }: Place): { at: string; id: string } {
  const cut = edge.indexOf('_');
  return { at: edge.slice(0, cut), id: edge.slice(cut + 1) };
}
