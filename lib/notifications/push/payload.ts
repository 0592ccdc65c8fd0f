import 'server-only';
import { createTranslator } from 'use-intl/core';
import { LOCALES } from '#lib/values/locale.ts';
import en from '../../../messages/en/notifications.json' with { type: 'json' };
import tr from '../../../messages/tr/notifications.json' with { type: 'json' };
import { notificationAddress } from '../kinds.ts';
import type { Detail, NotificationKind } from '../kinds.ts';
import { wordValues } from '../words.ts';

const WORDS = { tr, en };

/**
 * What a device shows, as JSON: the title of the notification in the device's language, and the
 * path of its thing. It names no payee and no account, as the mail does not: whoever holds the
 * device sees it on the locked screen.
 */
export function pushPayload(
  {
    id,
    kind,
    thing,
    detail,
  }: { id: string; kind: NotificationKind; thing: string; detail: Detail },
  language: string,
): string {
  const locale = LOCALES.find((one) => one === language) ?? 'tr';
  const t = createTranslator({ locale, messages: WORDS[locale] });
  return JSON.stringify({
    title: t(`kinds.${kind}.title`, wordValues(detail, locale)),
    body: t('push.body'),
    path: notificationAddress(kind, { thing, detail }),
    tag: id,
    lang: locale,
  });
}
